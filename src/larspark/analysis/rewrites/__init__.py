"""The optimiser: small rewrites of a resolved program that keep its meaning, each one switchable."""
