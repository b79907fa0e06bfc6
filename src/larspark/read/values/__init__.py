"""The rules for one value: numbers, texts, times, declared types."""
