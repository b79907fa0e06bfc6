"""Compiled code for the kernels of several packages: made once, kept, loaded, and handed to other machines."""
