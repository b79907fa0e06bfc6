"""Correlations of Sigma rules."""
