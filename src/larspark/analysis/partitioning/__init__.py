"""How a program can be evaluated on parts of the data: keys, cuts, stages."""
