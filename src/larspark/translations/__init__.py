"""Languages that LARS subsumes, translated into it: linear temporal logic, CQL, ETALIS, C-SPARQL and CQELS."""
