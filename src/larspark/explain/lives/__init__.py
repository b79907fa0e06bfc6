"""Since when and until when an atom holds, and what would keep or end it, by evaluating again."""
