"""Compiled code for the kernels in `larspark.intervals`: made once, kept, loaded, and handed to other machines."""
