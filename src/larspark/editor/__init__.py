"""For editors: colours from the words of the grammar, and a language server."""
