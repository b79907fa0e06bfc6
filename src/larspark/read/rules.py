"""What holds for all records of a source, and follows from the program and its calendar."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from larspark.diagnostics import Diagnostic
from larspark.language.calendar import Calendar
from larspark.language.facts import Fact, Signature
from larspark.language.tree import Input

Objection: TypeAlias = Callable[[Signature], Diagnostic | None]
"""Why a program cannot take the atoms of a predicate; None: it can."""

FactObjection: TypeAlias = Callable[[Fact, int], Diagnostic | None]
"""Why an atom cannot arrive at its time."""


def no_objection(_signature: Signature) -> None:
    return None


@dataclass(frozen=True)
class Rules:
    calendar: Calendar | None = None
    """Needed where times are timestamps."""
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The columns that are the arguments of a predicate, where `#input` names them."""
    time: str = "time"
    """The column with the time."""
    timed: bool = True
    """Whether records have times; otherwise a column of that name is an argument like others."""
    arity: int | None = None
    """Given: tables hold one predicate with so many arguments, whatever the columns are called."""
    live: bool = False
    """Whether a record without a time arrives when it is read."""
    located: bool = False
    """Whether chunks tell where each of their records stands, and what atom a refused one holds."""
    ordered: bool = True
    """Whether a record with an earlier time than one before it is refused."""
    typed: Mapping[Signature, Input] = field(default_factory=dict)
    """The inputs whose arguments have declared types."""
    objection: Objection = no_objection
    fact_objection: FactObjection | None = None


def typed_inputs(inputs: Iterable[Input]) -> dict[Signature, Input]:
    """What `#input tram(id: text, station)` says about values."""
    return {one.signature: one for one in inputs if any(one.types)}


def named_columns(inputs: Iterable[Input]) -> dict[str, tuple[str, ...]]:
    """What `#input tram(id, station)` says about columns."""
    return {one.signature.predicate: one.columns for one in inputs if one.columns}
