"""Explanations on request: why an atom holds, why it does not, what would change it; nothing is kept at run time."""
