"""Pages that commands write or serve."""
