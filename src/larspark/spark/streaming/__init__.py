"""Streams on Structured Streaming: packed rows, one stateful operator per stage, tables that are always whole."""
