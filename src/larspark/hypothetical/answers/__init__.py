"""Answers of foresight: schemata, their instances, and how they are told."""
