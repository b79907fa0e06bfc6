"""The engine: a chunk of arrivals in, changes of validity out, component by component."""
