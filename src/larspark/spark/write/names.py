"""What result tables and their columns are called, and what is known of them before any value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from larspark.analysis.typing.sorts import (
    OPEN,
    Sort,
    Sorts,
    argument_sorts,
    declared_sorts,
    sorts_of_facts,
    with_declared,
)
from larspark.language.facts import Signature
from larspark.language.printing.printer import show
from larspark.runtime import naming
from larspark.runtime.manifest import write_part
from larspark.spark.plan.plan import SparkPlan
from larspark.write.times import TimeWriter


def table_names(plan: SparkPlan) -> dict[str, Signature]:
    """The shown predicates by name (with the arity when a name has several)."""
    return naming.table_names(plan.shown)


def argument_names(plan: SparkPlan, signature: Signature) -> tuple[str, ...]:
    """The columns of the arguments."""
    return naming.column_names(plan.analysis)[signature]


def known_sorts(plan: SparkPlan, given: Sorts | None = None) -> dict[Signature, tuple[Sort, ...]]:
    """What declarations, the types of columns and the background tell about the arguments of shown predicates."""
    told = {**declared_sorts(plan.analysis), **with_declared(given or {}, plan.analysis)}
    found = argument_sorts(plan.analysis.program, {**told, **sorts_of_facts(plan.background)})
    return {one: found.get(one, (OPEN,) * one.arity) for one in plan.shown}


def file_name(name: str) -> str:
    """A predicate as the name of a folder."""
    return "".join(letter if letter.isalnum() or letter in "_-." else f"%{ord(letter):02x}" for letter in name)


def write_manifest(folder: Path, plan: SparkPlan, times: TimeWriter, tables: Mapping[str, Sequence[str]]) -> None:
    """Beside the tables of a folder, what they are: the program, its calendar, and the columns of each table."""
    told = {
        "schema": "larspark/manifest@1",
        **times.described,
        "tables": {name: [*columns] for name, columns in tables.items()},
        "inputs": sorted(map(str, plan.analysis.awaited)),
        "program": show(plan.analysis.program),
    }
    write_part(folder, told)
