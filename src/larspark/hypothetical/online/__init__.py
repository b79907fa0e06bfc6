"""Time point by time point: rows of preconditions that wait for their next premise."""
