"""Proofs checked against the literal semantics."""
