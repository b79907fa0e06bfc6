"""A proof as a graph of nodes with shared premises: what is printed, written as JSON, and verified."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple, Protocol

from larspark.explain.evaluations.history import Sourced, Span, spans_of
from larspark.explain.phrasing import UNSAID, Phrasing
from larspark.language.facts import Fact
from larspark.language.printing.printer import show, show_meaning
from larspark.language.traversal import atoms, substitute, variables
from larspark.language.tree import Constant, Formula, Program, Rule, Variable
from larspark.language.values import Value, json_value, normal, show_value
from larspark.semantics.structures import Binding

SCHEMA = "larspark/explanation@1"
_MARK = "\0"
"""Stands in no program."""


@dataclass(frozen=True)
class Question:
    """What is asked about an evaluation."""

    ask: str
    fact: Fact
    time: int
    """The evaluation."""
    at: int | None = None
    """The time point that the atom is about, where it is another than the evaluation."""

    @property
    def point(self) -> int:
        return self.time if self.at is None else self.at

    @property
    def atom(self) -> str:
        return str(self.fact) if self.at is None else f"@{self.at} {self.fact}"

    def as_json(self) -> dict[str, Any]:
        about = {} if self.at is None else {"about": self.at}
        return {"ask": self.ask, "atom": str(self.fact), "at": self.time, **about}


@dataclass(frozen=True)
class RuleName:
    """Which rule: its place in the text, and its number in the program."""

    index: int
    file: str | None
    line: int | None

    @classmethod
    def of(cls, program: Program, rule: Rule) -> RuleName:
        index = next(place for place, one in enumerate(program.rules) if one is rule)
        origin = rule.origin
        return cls(index, origin.file if origin else None, origin.line if origin else None)

    def as_json(self) -> dict[str, Any]:
        return {"file": self.file, "line": self.line, "index": self.index}

    def __str__(self) -> str:
        return f"rule {self.index + 1}" if self.file is None else f"{self.file}:{self.line}"


@dataclass(frozen=True)
class ProofNode:
    """A step of a proof; `details` depend on the kind (see docs/explanations.md)."""

    id: int
    kind: str
    text: str = ""
    premises: tuple[int, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    told: str = field(default="", compare=False)
    """For people, where times are timestamps: the values of a rule or a comparison, otherwise the text."""

    def as_json(self) -> dict[str, Any]:
        text = {"text": self.text} if self.text else {}
        return {"id": self.id, "kind": self.kind, **text, **self.details, "premises": list(self.premises)}


class Ending(NamedTuple):
    """Atoms of which one arrival ends another atom at once."""

    pattern: str
    other: bool = False
    """Only with other values than those that are there."""

    def as_json(self) -> dict[str, Any]:
        return {"pattern": self.pattern, **({"other": True} if self.other else {})}


@dataclass(frozen=True)
class Life:
    """How long the atom holds."""

    span: Span
    """Since when, and until when if nothing arrives."""
    endless: bool = False
    """Nothing that is seen ends it."""
    continues_with: tuple[tuple[Fact, Span], ...] = ()
    """One of these arrivals, within that time, and it goes on."""
    ends_with: tuple[Ending, ...] = ()
    """One of these arrivals, and it ends at once."""
    since_known: bool = True
    """Whether the past reaches back to where it began."""

    def as_json(self) -> dict[str, Any]:
        first, last = self.span
        going_on = [{"atom": str(fact), "at": list(span)} for fact, span in self.continues_with]
        return {
            "span": {"from": first if self.since_known else None, "to": None if self.endless else last},
            "ends": {
                "without_input": None if self.endless else last + 1,
                "continues_with": going_on,
                "ends_with": [one.as_json() for one in self.ends_with],
            },
        }


class Miss(Protocol):
    """A rule that does not give the atom, with the reasons."""

    def as_json(self) -> dict[str, Any]: ...


@dataclass(frozen=True)
class Elsewhere:
    """Where there are several answer streams: how many have the atom, and what it lacks in the first that has not."""

    count: int
    holding: int
    misses: Sequence[Miss] = ()

    def as_json(self) -> dict[str, Any]:
        lacking = [one.as_json() for one in self.misses]
        return {"answer_streams": {"count": self.count, "with": self.holding}, "elsewhere": lacking}


@dataclass(frozen=True)
class Proof:
    """Why an atom holds; the first node is the conclusion."""

    question: Question
    program: Program
    nodes: tuple[ProofNode, ...]
    others: int = 0
    """Further derivations of the conclusion."""
    cut: tuple[int, ...] = ()
    """Nodes whose premises are not shown."""
    life: Life | None = None
    elsewhere: Elsewhere | None = None
    words: Phrasing = UNSAID
    """How it is said to people."""

    def as_json(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "question": self.question.as_json(),
            "program": fingerprint(self.program),
            "holds": True,
            **(self.life.as_json() if self.life else {}),
            **(self.elsewhere.as_json() if self.elsewhere else {}),
            "nodes": [node.as_json() for node in self.nodes],
            "more": {"derivations": self.others, "cut_at_depth": list(self.cut)},
        }


def fingerprint(program: Program) -> str:
    """Tells programs apart, whatever their file is called."""
    return sha256(show_meaning(program).encode()).hexdigest()[:16]


def instance_text(formula: Formula, binding: Binding) -> str:
    """A formula with the values of its named variables."""
    parts = _template(formula)
    if parts is not None:
        known = (show_value(binding[name]) if name in binding else name for name in parts.names)
        return "".join(text for pair in zip(parts.texts, (*known, ""), strict=True) for text in pair)
    return show(substitute(formula, {name: Constant(value) for name, value in named(binding).items()}))


class Template(NamedTuple):
    """The text of a formula, cut at its named variables."""

    texts: tuple[str, ...]
    """Before, between and behind them."""
    names: tuple[str, ...]


@lru_cache(1 << 10)
def _template(formula: Formula) -> Template | None:
    """None where variables are not only arguments of atoms: there, values may need brackets."""
    arguments = [arg for atom in atoms(formula) for arg in atom.args]
    inside = [one for one in variables(formula) if not one.anonymous]
    if len(inside) != sum(isinstance(arg, Variable) and not arg.anonymous for arg in arguments):
        return None
    marked = show(substitute(formula, {one.name: Constant(f"{_MARK}{one.name}{_MARK}") for one in inside}))
    parts = tuple(marked.replace(f'"{_MARK}', _MARK).replace(f'{_MARK}"', _MARK).split(_MARK))
    return Template(parts[::2], parts[1::2])


def named(binding: Binding) -> dict[str, Value]:
    return {name: value for name, value in sorted(binding.items()) if not name.startswith("_")}


def bindings_json(binding: Binding) -> dict[str, Any]:
    return {name: value_json(value) for name, value in named(binding).items()}


def value_json(value: Value) -> Any:
    """A value so that it can be read again: a decimal that a float would change says that it is one."""
    found = json_value(value)
    return {"decimal": found} if isinstance(found, str) and not isinstance(value, str) else found


def read_value(value: Any) -> Value:
    """What `value_json` made."""
    match value:
        case {"decimal": str(digits)}:
            return normal(Decimal(digits))
        case float():
            return normal(Decimal(repr(value)))
        case int() | str():
            return value
    raise TypeError(f"{value} is no value")


def input_details(fact: Fact, arrivals: Sequence[Sourced]) -> dict[str, Any]:
    """An atom that arrived, once or at many time points."""
    places = [one.place for one in arrivals if one.place is not None]
    found: dict[str, Any] = {
        "atom": str(fact),
        "at": spans_json(spans_of(one.time for one in arrivals)),
        "arrivals": len(arrivals),
    }
    if places:
        found["source"] = places[0].file
        found["lines"] = spans_json(spans_of(place.line for place in places))
    return found


def spans_json(spans: Iterable[Span]) -> list[list[int]]:
    return [list(span) for span in spans]
