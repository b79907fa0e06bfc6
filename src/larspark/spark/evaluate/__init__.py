"""What tasks do with blocks in bounded runs and in streams: route them, evaluate a stage over them, unite intervals."""
