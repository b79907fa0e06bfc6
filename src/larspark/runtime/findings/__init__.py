"""What is odd about data beside its program, found while it is read and told once."""
