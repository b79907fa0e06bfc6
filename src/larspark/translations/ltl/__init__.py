"""Linear temporal logic with past (PLTL), to LARS and back."""
