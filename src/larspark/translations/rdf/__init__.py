"""RDF streams: C-SPARQL and CQELS queries as LARS programs, under pull- and push-based execution (thesis sec. 4.5)."""
