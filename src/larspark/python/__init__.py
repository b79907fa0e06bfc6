"""The Python interface: engines, evaluations and foresight with tables and facts in and out."""
