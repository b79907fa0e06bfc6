"""What an engine keeps: codes of values, tables of rows with validity, the log it can be built from."""
