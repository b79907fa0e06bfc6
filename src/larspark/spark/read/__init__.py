"""Where records come from, and how they become messages: the door of the pipeline."""
