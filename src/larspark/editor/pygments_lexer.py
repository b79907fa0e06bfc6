"""The lexer that Pygments, and with it Sphinx, rich and Jupyter, colours programs with."""

from __future__ import annotations

from typing import Any, ClassVar

from pygments.lexer import RegexLexer
from pygments.token import string_to_tokentype

from larspark.editor.colours import BLOCKS, coloured


def _rules() -> list[Any]:
    blocks = [(f"(?s:{one.begin}.*?(?:{one.end}|\\Z))", string_to_tokentype(one.token)) for one in BLOCKS]
    kinds = [(one.pattern, string_to_tokentype(one.token)) for one in coloured()]
    return [*blocks, *kinds, (r"\s+", string_to_tokentype("Text.Whitespace"))]


class LarsLexer(RegexLexer):  # type: ignore[misc]
    """Programs in the rule language."""

    name = "LARS"
    aliases: ClassVar = ["lars"]
    filenames: ClassVar = ["*.lars"]
    tokens: ClassVar = {"root": _rules()}
