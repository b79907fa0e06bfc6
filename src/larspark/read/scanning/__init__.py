"""Plain lines and atoms, many at once, found in their bytes. All compiled; the rules for odd ones stand elsewhere."""
