"""Hand-written Python for the workloads: dictionaries that are brought up to date by what arrives and what expires."""
