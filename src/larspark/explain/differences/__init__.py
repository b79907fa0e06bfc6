"""What a change of the data or of the rules does to the answers."""
