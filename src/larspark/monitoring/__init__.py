"""What a run that goes on tells about itself: figures, and why there is no output yet."""
