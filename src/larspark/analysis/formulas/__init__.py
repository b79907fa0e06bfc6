"""Full LARS formulas as plain rules, for reasoners that know extended atoms only."""
