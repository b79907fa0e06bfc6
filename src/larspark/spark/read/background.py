"""Background tables as DataFrames: collected once, and broadcast to all partitions together with the program."""

from __future__ import annotations

from collections.abc import Mapping

from pyspark.sql import DataFrame

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.facts import Fact, Signature
from larspark.language.traversal import atoms
from larspark.language.tree import Program
from larspark.read.values.values import NotAValue, from_object
from larspark.spark.read.inputs import arrow_schema
from larspark.spark.read.rules import check_arguments

MOST_FACTS = 1_000_000
"""Every partition holds all of them."""


def background_facts(frames: Mapping[str, DataFrame], program: Program) -> tuple[Fact, ...]:
    """The facts of each predicate, one argument per column; types and arities are checked before anything is read."""
    for predicate, frame in frames.items():
        check_arguments(arrow_schema(frame))
        _check_arity(Signature(predicate, len(frame.columns)), program)
    return tuple(fact for predicate, frame in frames.items() for fact in _collected(predicate, frame))


def _collected(predicate: str, frame: DataFrame) -> list[Fact]:
    table = frame.distinct().limit(MOST_FACTS + 1).toArrow()
    if len(table) > MOST_FACTS:
        message = f"The background table of {predicate} has more than {MOST_FACTS} rows, and every partition holds it."
        raise Rejected([Diagnostic("E610", message, "Let it arrive as input at the first time point, with `[all]`.")])
    try:
        columns = [[from_object(value) for value in column.to_pylist()] for column in table.columns]
    except NotAValue as error:
        message = f"The background table of {predicate} holds {error}."
        raise Rejected([Diagnostic("E403", message, "Arguments are numbers and texts.")]) from error
    return [Fact(predicate, args) for args in zip(*columns, strict=True)]


def _check_arity(signature: Signature, program: Program) -> None:
    used = {atom.signature for rule in program.rules for atom in atoms(rule)}
    others = sorted(str(one) for one in used if one.predicate == signature.predicate)
    if others and str(signature) not in others:
        message = f"The background table {signature} does not fit the program, which uses {', '.join(others)}."
        raise Rejected([Diagnostic("E410", message, "Select the columns that are arguments.")])
