"""What explanations ask about: answers over time, what of data and rules can matter, and one evaluation."""
