"""Negated atoms in answers: what is known of them, and which hypotheses fit together."""
