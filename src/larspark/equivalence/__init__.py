"""When two programs mean the same (thesis ch. 5): bi-LARS, notions of equivalence, and witnesses against them."""
