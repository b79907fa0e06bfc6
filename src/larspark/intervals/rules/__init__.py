"""One rule at a time: values as codes, the machine that runs a plan, and how it finds what matches."""
