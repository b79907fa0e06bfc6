"""How an evaluation looks to people: its plan in words, and what each rule costs."""
