"""What the reasoners are compared with: hand-written Python, a literal answer set program, recomputed data frames."""
