"""What is measured: programs, generators of streams, and their names."""
