"""Streams: stateful operators of Structured Streaming, which evaluate what becomes final with every micro-batch."""
