"""What the readers have to know about an input, and what the types of its columns tell before anything is read."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.facts import Signature
from larspark.read import Rules, typed_inputs
from larspark.read.columns.layout import RowLayout
from larspark.read.live.addresses import is_live, read_address
from larspark.spark.plan.plan import ProgramVocabulary

SECRETS = re.compile(r"(?<=//)[^/@]*@|\?[^#]*")
"""What may be a password in the address of a database: what stands before `@`, and behind `?`."""


@dataclass(frozen=True)
class InputSource:
    """Where records come from, and how their columns are called."""

    path: str = ""
    predicate: str | None = None
    columns: tuple[str, ...] = ()
    time: str = "time"
    format: str | None = None
    """A streaming format of Spark, such as kafka, that delivers JSON lines."""
    options: Mapping[str, str] = field(default_factory=dict)
    awaited: bool = True
    """Whether a stream waits for this source before a time point is final."""

    @property
    def name(self) -> str:
        """What the checkpoint knows it by; no password is in it."""
        given = str(read_address(self.path)) if is_live(self.path) else without_secrets(self.path)
        return given or f"{self.format} {json.dumps(dict(self.options), sort_keys=True)}"


def without_secrets(path: str) -> str:
    """An address as it may be shown."""
    return SECRETS.sub("", path) if path.startswith("jdbc:") else path


def rules_for(source: InputSource, vocabulary: ProgramVocabulary) -> Rules:
    """Records may come in any order, and the order of time is made later."""
    predicate = predicate_of(source)
    columns = vocabulary.columns_of(predicate) or source.columns
    return Rules(
        vocabulary.calendar,
        {predicate: columns} if columns else {},
        source.time,
        ordered=False,
        typed=typed_inputs(vocabulary.inputs),
        objection=vocabulary.objection,
    )


def predicate_of(source: InputSource) -> str:
    """A table is named after its predicate, unless its columns or the pipeline file say it."""
    return source.predicate or Path(source.path).stem


def checked_layout(schema: pa.Schema, source: InputSource, vocabulary: ProgramVocabulary) -> RowLayout:
    """How a table is read; `Rejected` when its columns do not fit, or the program does not take the predicate."""
    rules, predicate = rules_for(source, vocabulary), predicate_of(source)
    missing = next((name for name in source.columns if name not in schema.names), None)
    if missing is not None:
        message = f"The table of {predicate} has no column `{missing}`."
        hint = f"The columns are {', '.join(schema.names)}; name others with `#input` or in the pipeline file."
        raise Rejected([Diagnostic("E407", message, hint)])
    layout = RowLayout.of(schema.names, predicate, rules, None)
    assert layout.time is not None, "a table without times is rejected"
    _check_time(schema.field(layout.time))
    if layout.atom is not None:
        return layout
    for place in layout.arguments:
        _check_argument(schema.field(place), listed=layout.named is not None and len(layout.arguments) == 1)
    if layout.named is None:
        refused = vocabulary.objection(Signature(predicate, len(layout.arguments)))
        if refused is not None:
            raise Rejected([refused])
    return layout


def check_arguments(schema: pa.Schema) -> None:
    """`Rejected` when a column has a type that no value of the language has."""
    for one in schema:
        _check_argument(one, listed=False)


def _check_argument(field: pa.Field, *, listed: bool) -> None:
    kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
    if (pa.types.is_nested(kind) and not listed) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        message = f"The column `{field.name}` has the type {kind}, which no value of the language has."
        raise Rejected([Diagnostic("E407", message, "Arguments are numbers, texts, truth values and dates.")])


def _check_time(field: pa.Field) -> None:
    kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
    if pa.types.is_nested(kind) or pa.types.is_boolean(kind) or pa.types.is_binary(kind):
        message = f"The column `{field.name}` has the type {kind}, which is no time."
        raise Rejected([Diagnostic("E407", message, "Times are whole numbers or timestamps.")])
