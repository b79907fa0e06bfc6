"""The words of the language, read off the grammar file: what editors colour and complete."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_WORD = re.compile(r"^_?[A-Z]+(?:\.\d+)?: /([a-z]+)\\b/", re.MULTILINE)
_DIRECTIVE = re.compile(r'"(#[a-z]+)"')
_CHOICE = re.compile(r"^(?P<name>[A-Z]+)(?:\.\d+)?: /(?P<sign>#?)\(\?:(?P<words>[a-z|]+)\)\\b/", re.MULTILINE)


@dataclass(frozen=True)
class Words:
    """By the part they play; each group is sorted."""

    reserved: tuple[str, ...]
    """Need quotes as symbols."""
    contextual: tuple[str, ...]
    """Words only where they can stand, mostly in windows."""
    directives: tuple[str, ...]
    aggregates: tuple[str, ...]
    units: tuple[str, ...]


@cache
def words() -> Words:
    text = files("larspark.language").joinpath("grammar.lark").read_text("utf-8")
    choices = {found["name"]: _signed(found["sign"], found["words"]) for found in _CHOICE.finditer(text)}
    reserved = choices["WORD"]
    alone = {word for word in _WORD.findall(text) if word not in reserved}
    contextual = {*alone, *choices["ALLEN"], *choices["PASSIVE"]}
    return Words(
        tuple(sorted(reserved)),
        tuple(sorted(contextual)),
        tuple(sorted({*_DIRECTIVE.findall(text)})),
        tuple(sorted([*choices["AGGREGATE"], *choices["RANKING"]])),
        tuple(sorted(choices["UNIT"])),
    )


def _signed(sign: str, alternatives: str) -> list[str]:
    return [sign + word for word in alternatives.split("|")]
