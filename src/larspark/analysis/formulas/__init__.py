"""Full LARS formulas, and atoms that need what follows from them, as plain rules that every reasoner knows."""
