"""Types and names of arguments, from declarations and values through the rules."""
