"""How explanations are told: text, JSON and HTML."""
