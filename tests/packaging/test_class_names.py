"""A class name stands for one thing in the whole tree."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import larspark

SOURCES = Path(larspark.__file__).parent

SHARED = {
    "Arrival": "of the judge, which imports nothing of the reasoners, and of the windows that they share",
    "Tick": "of `tick`, which does without the JTMS, and of its annotations",
}
"""Names that two classes may have, and why; no more are added."""


def test_a_class_name_stands_for_one_thing() -> None:
    trees = (ast.parse(path.read_text("utf-8")) for path in SOURCES.rglob("*.py"))
    names = Counter(node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    assert {name for name, count in names.items() if count > 1} == {*SHARED}
