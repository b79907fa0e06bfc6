"""Every field of every kind of node is checked: whatever is changed in a real proof, it is found out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest

from larspark.diagnostics import Rejected
from larspark.explain.evaluations.history import RecordPlace, Sourced
from larspark.explain.verification.fields import NODES, PARTS, PROOF
from larspark.explain.verification.verify import verify
from larspark.language.parser import parse_program
from larspark.questions.explaining import Case
from larspark.runtime.prepared import prepare
from support.beside_judge import arrivals as read_arrivals
from support.mutated import Path, mutated


class Asked(NamedTuple):
    program: str
    stream: str
    atom: str
    time: int
    background: tuple[str, ...] = ()
    depth: int | None = None
    placed: bool = True
    """Whether arrivals stand in lines of a file."""


ASKED = {
    "windows": Asked(
        """#input high(machine). #say alarm(M) "{M} is too hot". #say room(M,N) "{M} is in {N}".
        hot(M) :- temp(M, V) [5], V > 80.
        alarm(M) :- always high(M) [2], not technician(_) [4], hot(M), room(M, _).
        late(M) :- @T temp(M, _) [6], alarm(M), high(M), @7 high(M).""",
        "0:technician(ann) 3:temp(press,70) 4:temp(press,90) 5:high(press) 6:high(press) 7:high(press)",
        "late(press)",
        7,
        ("room(press,1)", "room(saw,2)"),
    ),
    "other arguments": Asked("a :- b(X) [3], not c(1,X) [3], d.", "1:b(2) 2:d 2:c(3,2)", "a", 2),
    "nothing near": Asked("a :- b [3], not c [3].", "1:b", "a", 2),
    "a conclusion with other arguments": Asked("p(X) :- b(X) [3]. a :- c [3], not p(9).", "1:b(1) 2:c", "a", 2),
    "aggregates": Asked(
        "busy(N) :- N = #count{ M, V : high(M, V) [3], V > 1, not off(M) }, N >= 1.",
        "5:high(press,2) 6:high(saw,3) 6:off(saw) 7:high(saw,1)",
        "busy(2)",
        7,
    ),
    "recursion": Asked(
        "near(X,Y) :- link(X,Y) [9]. near(X,Z) :- near(X,Y), near(Y,Z).",
        "1:link(a,b) 2:link(b,c) 2:link(c,a)",
        "near(a,a)",
        7,
    ),
    "cut": Asked("a(X) :- b(X) [3]. c(X) :- a(X), X < 7. d :- c(_).", "1:b(3) 1:b(5)", "d", 2, depth=1),
    "without places": Asked("a :- b(X) [3], X < 4.", "1:b(3)", "a", 2, placed=False),
    "held": Asked(
        "#input mode(machine, state). #hold mode(M, S) per M for 9. on(M) :- mode(M, up), always mode(M, up) [2].",
        "1:mode(x,up) 5:e",
        "on(x)",
        5,
    ),
    "pushed out": Asked("a(X) :- b(X) [1 #].", "1:b(1)", "a(1)", 1),
    "recorded": Asked(
        '#record was/1. #say was(X) "{X} was". was(X) :- b(X). a(X) :- was(X) [5], c.', "1:b(1) 2:b(1) 4:c", "a(1)", 4
    ),
    "another time point": Asked("@T seen(X) :- @T b(X) [5].", "1:b(1) 3:c", "@1 seen(1)", 3),
    "formulas": Asked(
        "a :- ((b(2) and not c and 2 < 5) or e), (some (b(Y) and d)) [3], (always (b(2) or f)) [1], "
        "@(now - 1) (b(2) and true).",
        "1:b(2) 1:d 2:b(2)",
        "a",
        2,
    ),
    "choices": Asked("a :- e [3], not b. b :- e [3], not a.", "0:e", "a", 0),
    "a choice of the head": Asked("a | b :- e [3]. b :- a. a :- b.", "0:e", "a", 0),
}


@cache
def asked(name: str) -> tuple[dict[str, Any], Any]:
    one = ASKED[name]
    prepared = prepare(parse_program(one.program, "program.lars"), background=list(one.background))
    arrivals = [
        Sourced(time, fact, RecordPlace("stream.jsonl", line) if one.placed else None)
        for line, (time, fact) in enumerate(read_arrivals(one.stream), 1)
    ]
    found = Case.of(prepared, arrivals)
    (proof, *_) = found.why(one.atom, one.time, depth=one.depth)
    return json.loads(json.dumps(proof.as_json())), found.setting


@pytest.mark.parametrize("name", ASKED)
def test_a_proof_is_accepted(name: str) -> None:
    assert verify(*asked(name)) is None


@pytest.mark.parametrize("name", ASKED)
def test_whatever_is_changed_is_found_out(name: str) -> None:
    found, setting = asked(name)
    accepted = [path for path, changed in mutated(found) if not _may_differ(path) and _is_accepted(changed, setting)]
    assert not accepted


def _is_accepted(changed: dict[str, Any], setting: Any) -> bool:
    try:
        return verify(changed, setting) is None
    except Rejected:  # it is no proof, or one of another program
        return False


def _may_differ(path: Path) -> bool:
    """Not everything that would keep or end the atom need be named, and the conclusion may have any id."""
    return path == ("nodes", 0, "id") or (
        len(path) == 3 and path[:2] in (("ends", "continues_with"), ("ends", "ends_with"))
    )


def test_every_field_is_met() -> None:
    proofs = [asked(name)[0] for name in ASKED]
    nodes = [node for proof in proofs for node in proof["nodes"]]
    for kind, fields in NODES.items():
        met = {field for node in nodes if node["kind"] == kind for field in node}
        assert met == fields.required | fields.optional, kind
    for name, fields in PARTS.items():
        met = {field for proof in proofs for part in _parts(proof, name) for field in part}
        assert met == fields.required | fields.optional, name
    assert {field for proof in proofs for field in proof} == PROOF.required | PROOF.optional


def _parts(value: Any, name: str) -> Iterator[dict[str, Any]]:
    """The objects in fields of this name."""
    match value:
        case dict():
            for key, inner in value.items():
                if key == name:
                    yield from (one for one in (inner if isinstance(inner, list) else [inner]) if isinstance(one, dict))
                yield from _parts(inner, name)
        case list():
            for inner in value:
                yield from _parts(inner, name)
