"""Reports: tables, curves, and whether targets are met."""
