"""The fields of a proof: those that must be there, and those that may. Another field says something that is unknown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from larspark.explain.verification.claims import require


class Fields(NamedTuple):
    required: frozenset[str]
    optional: frozenset[str] = frozenset()

    def check(self, found: Mapping[str, Any], what: str) -> None:
        """`WrongProof` when one is missing, or unknown."""
        known = frozenset(found)
        require(known >= self.required, f"{what} lacks {_listed(self.required - known)}")
        unknown = known - self.required - self.optional
        require(not unknown, f"{what} has {_listed(unknown)}, which says nothing")


def _listed(names: frozenset[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names))


def _fields(required: str, optional: str = "") -> Fields:
    return Fields(frozenset(required.split()), frozenset(optional.split()))


_QUANTIFIED = _fields("id kind text window times premises")
NODES: Mapping[str, Fields] = {
    "rule": _fields("id kind text atom at rule bindings premises", "words chosen cut"),
    "input": _fields("id kind atom at arrivals premises", "source lines words"),
    "background": _fields("id kind atom premises", "words"),
    "recorded": _fields("id kind atom at evaluations premises", "words"),
    "held": _fields("id kind atom at arrived arrivals premises", "source lines words"),
    "some": _QUANTIFIED,
    "always": _QUANTIFIED,
    "at": _QUANTIFIED,
    "absent": _fields("id kind text pattern window nearest premises"),
    "comparison": _fields("id kind text left right premises"),
    "aggregate": _fields("id kind text value elements premises"),
    "formula": _fields("id kind text premises"),
}
"""By the kind of a node."""
PARTS: Mapping[str, Fields] = {
    "rule": _fields("file line index"),
    "window": _fields("text from to"),
    "nearest": _fields("atom at", "left differs source line"),
    "elements": _fields("tuple bindings premises"),
    "question": _fields("ask atom at", "about"),
    "span": _fields("from to"),
    "ends": _fields("without_input continues_with ends_with"),
    "continues_with": _fields("atom at"),
    "ends_with": _fields("pattern", "other"),
    "answer_streams": _fields("count with"),
    "more": _fields("derivations cut_at_depth"),
}
"""Objects inside, and those of lists, by the field that they stand in."""
PROOF = _fields("schema question program holds nodes more", "span ends answer_streams elsewhere")


def check_fields(proof: Mapping[str, Any]) -> None:
    """`WrongProof` when a field is missing or unknown, wherever it is."""
    PROOF.check(proof, "the proof")
    require(("span" in proof) == ("ends" in proof), "the proof has only a part of a life")
    require(("answer_streams" in proof) == ("elsewhere" in proof), "the proof has only a part about answer streams")
    for name, value in proof.items():
        if name == "nodes":
            for node in value:
                require(node["kind"] in NODES, f"there is no kind {node['kind']}")
                NODES[node["kind"]].check(node, f"the node {node['id']}")
                _check_parts(node)
        elif name != "elsewhere":
            _check_part(name, value)


def _check_parts(found: Mapping[str, Any]) -> None:
    for name, value in found.items():
        _check_part(name, value)


def _check_part(name: str, value: Any) -> None:
    if name in PARTS:
        for one in value if isinstance(value, list) else [value]:
            if one is not None:
                require(isinstance(one, Mapping), f"`{name}` is no object")
                PARTS[name].check(one, f"`{name}`")
                _check_parts(one)
