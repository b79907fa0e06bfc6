"""Short ways from text to an analysis."""

from __future__ import annotations

from larspark.analysis import Analysis, analyse
from larspark.language.facts import Signature
from larspark.language.parser import parse_program


def analysed(text: str) -> Analysis:
    return analyse(parse_program(text, "t.lars"))


def codes(text: str) -> list[str]:
    return [finding.code for finding in analysed(text).diagnostics]


def signature(text: str) -> Signature:
    name, _, arity = text.partition("/")
    return Signature(name, int(arity))


def names(signatures: frozenset[Signature]) -> set[str]:
    return set(map(str, signatures))
