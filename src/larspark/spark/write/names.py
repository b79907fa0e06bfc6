"""What result tables and their columns are called."""

from __future__ import annotations

from larspark.language.facts import Signature
from larspark.spark.plan.plan import SparkPlan

TAKEN = {"from", "to", "at", "change", "time"}
"""Columns that are no arguments."""


def table_names(plan: SparkPlan) -> dict[str, Signature]:
    """The shown predicates by name (with the arity when a name has several)."""
    names = [signature.predicate for signature in plan.shown]
    return {str(one) if names.count(one.predicate) > 1 else one.predicate: one for one in plan.shown}


def argument_names(plan: SparkPlan, signature: Signature) -> list[str]:
    """The columns of the arguments: as `#input` names them, otherwise arg1, arg2, …"""
    named = plan.vocabulary.columns_of(signature.predicate)
    if len(named) == signature.arity and not TAKEN & {*named}:
        return list(named)
    return [f"arg{n + 1}" for n in range(signature.arity)]


def file_name(name: str) -> str:
    """A predicate as the name of a folder."""
    return "".join(letter if letter.isalnum() or letter in "_-." else f"%{ord(letter):02x}" for letter in name)
