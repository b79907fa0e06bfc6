"""ETALIS event patterns, evaluated over intervals and translated to LARS in two ways."""
