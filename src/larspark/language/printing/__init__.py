"""From the tree to text, and the layout of programs."""
