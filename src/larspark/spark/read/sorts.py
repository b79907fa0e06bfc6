"""What the columns of DataFrames say about the arguments of the atoms in them."""

from __future__ import annotations

from collections.abc import Mapping

from pyspark.sql import DataFrame
from pyspark.sql.types import BooleanType, DataType, DecimalType, DoubleType, FloatType, IntegralType

from larspark.analysis.typing.sorts import ANYTHING, BOOLEAN, FLOATING, WHOLE, Sort
from larspark.language.facts import Signature
from larspark.read.columns.layout import RowLayout
from larspark.spark.plan.vocabulary import ProgramVocabulary
from larspark.spark.read.rules import InputSource, rules_for

SURELY_WHOLE = 18
"""Digits of a whole number that fits 64 bits, whatever they are."""


def input_sorts(frames: Mapping[str, DataFrame], vocabulary: ProgramVocabulary) -> dict[Signature, tuple[Sort, ...]]:
    """The sorts of the arguments that arrive, by predicate."""
    found: dict[Signature, tuple[Sort, ...]] = {}
    for predicate, frame in frames.items():
        for signature, sorts in _sorts_of(frame, predicate, vocabulary).items():
            before = found.get(signature, sorts)
            found[signature] = tuple(old | new for old, new in zip(before, sorts, strict=True))
    return found


def _sorts_of(frame: DataFrame, predicate: str, vocabulary: ProgramVocabulary) -> dict[Signature, tuple[Sort, ...]]:
    layout = RowLayout.of(frame.columns, predicate, rules_for(InputSource(predicate=predicate), vocabulary), None)
    sorts = tuple(sort_of_type(frame.schema[place].dataType) for place in layout.arguments)
    arriving = vocabulary.analysis.extensional
    if layout.atom is not None:
        return {signature: (ANYTHING,) * signature.arity for signature in arriving}
    if layout.named is not None:
        return {one: sorts[: one.arity] for one in arriving if one.arity <= len(sorts)}
    return {Signature(predicate, len(sorts)): sorts}


def sort_of_type(kind: DataType) -> Sort:
    match kind:
        case BooleanType():
            return BOOLEAN
        case IntegralType():
            return WHOLE
        case DoubleType() | FloatType():
            return FLOATING
        case DecimalType() if kind.scale:
            return Sort(scale=kind.scale, digits=kind.precision - kind.scale)
        case DecimalType() if kind.precision <= SURELY_WHOLE:
            return WHOLE
    return ANYTHING
