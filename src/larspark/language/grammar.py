"""The parser of the grammar file, whose tables are kept: making them takes longer than reading most programs."""

from __future__ import annotations

import hashlib
import io
import sys
from functools import cache
from importlib.resources import files
from pathlib import Path

import lark
from lark import Lark

from larspark.cache import cache_folder, write_whole
from larspark.language.positions import with_positions

STARTS = ["statement", "query", "ground_atom", "duration"]


@cache
def grammar() -> Lark:
    """The parser; its tables come from the cache if they are there and made for this grammar by this version."""
    text = files("larspark.language").joinpath("grammar.lark").read_text("utf-8")
    made_for = hashlib.sha256(f"{lark.__version__} {sys.version} {STARTS} {text}".encode()).hexdigest()[:16]
    path = cache_folder("grammar") / f"{made_for}.tables"
    try:
        with path.open("rb") as file:
            return with_positions(Lark.load(file))
    except Exception:  # there is no file, or a damaged one, which can fail in any way
        return with_positions(_built(text, path))


def _built(text: str, path: Path) -> Lark:
    parser = Lark(text, parser="lalr", start=STARTS, propagate_positions=True, maybe_placeholders=False)
    content = io.BytesIO()
    parser.save(content)
    write_whole(path, content.getvalue())
    return parser
