"""The page: time, rules and proofs to look at; served live, written as one file, shown in notebooks."""
