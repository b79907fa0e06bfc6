"""Tests for rules: files with what arrives and what must follow, run by `larspark test`."""
