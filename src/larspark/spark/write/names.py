"""What result tables and their columns are called, and what is known of their types before any value."""

from __future__ import annotations

from collections.abc import Mapping

from larspark.analysis.typing.sorts import OPEN, Sort, argument_sorts, declared_sorts, sorts_of_facts
from larspark.language.facts import Signature
from larspark.runtime import naming
from larspark.spark.plan.plan import SparkPlan


def table_names(plan: SparkPlan) -> dict[str, Signature]:
    """The shown predicates by name (with the arity when a name has several)."""
    return naming.table_names(plan.shown)


def argument_names(plan: SparkPlan, signature: Signature) -> tuple[str, ...]:
    """The columns of the arguments."""
    return naming.column_names(plan.analysis)[signature]


def known_sorts(
    plan: SparkPlan, given: Mapping[Signature, tuple[Sort, ...]] | None = None
) -> dict[Signature, tuple[Sort, ...]]:
    """What declarations, the types of columns and the background tell about the arguments of shown predicates."""
    declared = declared_sorts(plan.analysis)
    for signature, sorts in (given or {}).items():
        said = declared.get(signature, (OPEN,) * signature.arity)
        declared[signature] = tuple(own if one.open else one for one, own in zip(said, sorts, strict=True))
    found = argument_sorts(plan.analysis.program, {**declared, **sorts_of_facts(plan.background)})
    return {one: found.get(one, (OPEN,) * one.arity) for one in plan.shown}


def file_name(name: str) -> str:
    """A predicate as the name of a folder."""
    return "".join(letter if letter.isalnum() or letter in "_-." else f"%{ord(letter):02x}" for letter in name)
