"""Bounded runs: everything is there, the timeline is known, every conclusion is final."""
