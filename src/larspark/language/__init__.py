"""The rule language: text, tree, and back."""
