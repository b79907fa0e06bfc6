"""Why an atom holds: what each literal holds by, the lowest derivations, and the graph that is shown."""
