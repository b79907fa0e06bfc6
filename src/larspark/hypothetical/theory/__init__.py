"""What foresight reasons over: terms, clauses with time, and the readings of programs as theories."""
