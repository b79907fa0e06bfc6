"""Why an atom does not hold: how far each rule gets, why its conditions fail, and the smallest repairs."""
