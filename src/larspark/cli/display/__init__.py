"""What commands print: answers, analyses, plans, diagnostics, progress."""
