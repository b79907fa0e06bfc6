"""The rule language: text, tree, and back."""

from larspark.language.evaluate import evaluate
from larspark.language.facts import Fact, Signature
from larspark.language.parser import parse_duration, parse_fact, parse_file, parse_formula, parse_program
from larspark.language.printing.printer import show
from larspark.language.resolve import resolve

__all__ = [
    "Fact",
    "Signature",
    "evaluate",
    "parse_duration",
    "parse_fact",
    "parse_file",
    "parse_formula",
    "parse_program",
    "resolve",
    "show",
]
