"""One file per format: records in, columns out."""
