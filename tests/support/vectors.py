"""The conformance vectors as trees and streams; `tests/conformance/vectors/README.md` explains their notation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from larspark.language.facts import Fact, Signature
from larspark.language.tree import (
    UNBOUNDED,
    Always,
    And,
    At,
    Extent,
    FilterWindow,
    Formula,
    Implies,
    IntervalWindow,
    Keyed,
    Not,
    Or,
    PartitionWindow,
    Program,
    RegisteredWindow,
    Reset,
    Rule,
    Some,
    TimeWindow,
    Truth,
    TupleWindow,
    Variable,
    Window,
    Windowed,
)
from larspark.semantics.streams import Stream
from support import vector_windows  # noqa: F401 - they are registered
from support.notation import fact, literal, pattern, term

FOLDER = Path(__file__).parent.parent / "conformance" / "vectors"


@dataclass(frozen=True)
class Case:
    """One vector; `case["expect"]` and so on give its fields as YAML has them."""

    id: str
    kind: str
    file: str
    """For instance `thesis/windows`."""
    data: Mapping[str, Any]

    def __getitem__(self, field: str) -> Any:
        return self.data[field]

    def get(self, field: str, default: Any = None) -> Any:
        return self.data.get(field, default)

    def __str__(self) -> str:
        return self.id

    # -- the fields most kinds have ----------------------------------------------------------------

    @property
    def stream(self) -> Stream:
        return stream(self["stream"])

    @property
    def program(self) -> Program:
        return program(self["program"])

    @property
    def background(self) -> tuple[Fact, ...]:
        return tuple(map(fact, self.get("background", ())))


@cache
def all_cases() -> tuple[Case, ...]:
    found = []
    for path in sorted(FOLDER.glob("*/*.yaml")):
        file = f"{path.parent.name}/{path.stem}"
        for data in yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)["cases"]:
            found.append(Case(data["id"], data["kind"], file, data))
    return tuple(found)


def cases(kind: str, file: str | None = None, *, without: Sequence[str] = ()) -> list[Case]:
    """The cases of a kind, of one file when given; `without` names cases listed with a reason elsewhere."""
    return [case for case in all_cases() if case.kind == kind and file in (None, case.file) and case.id not in without]


# -- streams ---------------------------------------------------------------------------------------


def stream(data: Mapping[str, Any]) -> Stream:
    """A stream with its closed timeline; `timeline: null` is the empty one."""
    start, end = data["timeline"] or (0, -1)
    return Stream.of(start, end, arrivals(data))


def arrivals(data: Mapping[str, Any]) -> list[tuple[int, Fact]]:
    return [(time, fact(atom)) for time, atoms in (data["facts"] or {}).items() for atom in atoms]


def facts_by_time(data: Mapping[int, Sequence[str]] | None) -> dict[int, frozenset[Fact]]:
    """`{36: [tram(a1,b)]}`, as answers are written; empty time points are left out."""
    return {time: frozenset(map(fact, atoms)) for time, atoms in (data or {}).items() if atoms}


# -- windows ---------------------------------------------------------------------------------------


def window(data: Mapping[str, Any]) -> Window:
    past, future = _extent(data.get("past", 0)), _extent(data.get("future", 0))
    match data["kind"]:
        case "time":
            return TimeWindow(past, future, data.get("hop", 1))
        case "tuple" if "tiebreak" in data:
            assert data["tiebreak"] == "lexfirst"
            return RegisteredWindow("tuple_lexfirst", (data["past"],))
        case "tuple":
            return TupleWindow(past, future)
        case "partition":
            return _per_key(data) or RegisteredWindow("partition", tuple(_flat_parts(data)))
        case "filter":
            return FilterWindow(tuple(map(pattern, data["match"])))
        case "interval":
            return IntervalWindow(term(data["from"]), term(data["to"]))
        case "set" | "clear_if_present" as kind:
            return RegisteredWindow(kind, (data["atom"],))
        case "drop_if_present":
            return RegisteredWindow("drop_if_present", (data["atom"], data["drop"]))
    raise ValueError(f"window {data}")


def _extent(size: int | str) -> Extent:
    return UNBOUNDED if size == "inf" else int(size)


def _flat_parts(data: Mapping[str, Any]) -> list[str | int]:
    """`patterns past future` for each part and then for the rest, as arguments of the test's window function."""
    flat: list[str | int] = []
    for part in [*data["parts"], {"match": "", **data["rest"]}]:
        match = part["match"]
        flat += [match if isinstance(match, str) else ";".join(match)]
        flat += [str(part.get("past", 0)), str(part.get("future", 0))]
    return flat


def _per_key(data: Mapping[str, Any]) -> PartitionWindow | None:
    """The partition as `[n # per Key]`, if each part fixes the same one argument and the rest is dropped."""
    parts = [part["match"] for part in data["parts"]]
    sizes = {(part.get("past", 0), part.get("future", 0)) for part in data["parts"]}
    if len(parts) < 2 or len(sizes) != 1 or any(data["rest"].get(size, 0) for size in ("past", "future")):
        return None
    patterns = [pattern(part) for part in parts if isinstance(part, str)]
    shapes = {(p.predicate, len(p.args), tuple(i for i, arg in enumerate(p.args) if arg is not None)) for p in patterns}
    if len(patterns) != len(parts) or len(shapes) != 1:
        return None
    ((predicate, arity, keys),) = shapes
    ((past, future),) = sizes
    return PartitionWindow(past, future, (Keyed(Signature(predicate, arity), keys),))


# -- formulas and programs -------------------------------------------------------------------------


def formula(data: Any) -> Formula:
    match data:
        case str():
            return literal(data)
        case ["not", body]:
            return Not(formula(body))
        case ["and", *parts]:
            return And(tuple(map(formula, parts)))
        case ["or", *parts]:
            return Or(tuple(map(formula, parts)))
        case ["implies", left, right]:
            return Implies(formula(left), formula(right))
        case ["some", body]:
            return Some(formula(body))
        case ["always", body]:
            return Always(formula(body))
        case ["at", time, body]:
            return At(term(time), formula(body))
        case ["window", size, body]:
            return Windowed(window(size), formula(body))
        case ["reset", body]:
            return Reset(formula(body))
        case ["true"] | ["false"]:
            return Truth(data == ["true"])
    raise ValueError(f"formula {data}")


def rule(data: Mapping[str, Any]) -> Rule:
    return Rule(formula(data["head"]), tuple(map(formula, data["body"])))


def program(data: Sequence[Mapping[str, Any]]) -> Program:
    return Program(tuple(map(rule, data)))


def time_or_variable(data: Any) -> int | str:
    """The `at` of a query: a time point or the name of a variable."""
    if isinstance(data, int):
        return data
    found = term(data)
    assert isinstance(found, Variable)
    return found.name
