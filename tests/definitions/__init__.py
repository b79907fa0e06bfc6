"""Definitions of the papers that the tests compare with and the product does not need."""
