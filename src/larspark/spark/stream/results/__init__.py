"""Where a stream ends: changes of conclusions become intervals, rows and tables."""
