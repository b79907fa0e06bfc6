"""Rules under a name that SQL knows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession
from pyspark.sql.functions import arrow_udtf

from larspark.analysis.partitioning.stages import splits_by
from larspark.analysis.typing.sorts import ANYTHING, OPEN, program_sorts
from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.calendar import TimeForm
from larspark.language.facts import Signature
from larspark.language.traversal import walk
from larspark.language.tree import Duration, PartitionWindow, TupleWindow
from larspark.language.values import Value
from larspark.runtime.atoms import AtomLike
from larspark.runtime.naming import column_names, table_names
from larspark.runtime.prepared import Prepared, ProgramLike, prepare
from larspark.spark.session.workers import hand_out_all
from larspark.spark.sql.function import WORDS, RulesFunction
from larspark.spark.write.frames import TableRows
from larspark.write.times import TimeWriter


def register(  # noqa: PLR0913 - the options of `reason`, which a reader wants to see
    session: SparkSession,
    name: str,
    program: ProgramLike,
    *,
    answer: str | None = None,
    times: str | None = None,
    background: Iterable[AtomLike | Path] = (),
    clock: Duration | str | None = None,
    epoch: datetime | None = None,
    timezone: str | None = None,
    constants: Mapping[str, Value] | None = None,
    allow_functions: bool = False,
) -> str:
    """Make a program a table function of SQL, and return the columns of its table.

    >>> register(spark, "alarms", "alarms.lars")
    >>> spark.sql("SELECT * FROM alarms(TABLE(readings) PARTITION BY machine ORDER BY time)")

    Each partition is a stream of its own, from its first to its last row, or from `since` to `until` where the call
    says so (`alarms(TABLE(…) …, until => TIMESTAMP'2026-03-11')`). The table is named by `answer` where the program
    shows several predicates. Its types are those that `#input` declares; other arguments are texts. `times` is the type
    of the time columns: `timestamp`, `timestamp_ntz`, or `points`.
    """
    prepared = prepare(
        program,
        clock=clock,
        epoch=epoch,
        timezone=timezone,
        constants=constants,
        background=background,
        allow_functions=allow_functions,
    ).require("interval")
    function = function_of(name, prepared.logged(), answer, times)
    returned = function.answer.schema
    hand_out_all(session)
    made: Any = arrow_udtf(function.handler, returnType=returned)
    session.udtf.register(name, made)
    return returned


def function_of(name: str, prepared: Prepared, answer: str | None = None, times: str | None = None) -> RulesFunction:
    """The function of a program; `Rejected` when it is not said what it returns."""
    signature = _answer(name, prepared, answer)
    analysis = prepared.analysis
    known = program_sorts(analysis, prepared.background)
    sorts = [ANYTHING if one.open else one for one in known.get(signature, (OPEN,) * signature.arity)]
    columns = dict(zip(column_names(analysis)[signature], sorts, strict=True))
    writer = TimeWriter(prepared.calendar, _form(prepared, times))
    inputs = sorted(analysis.extensional)
    places = range(min((one.arity for one in inputs), default=0))
    found = frozenset(one for one in places if splits_by(analysis, dict.fromkeys(inputs, one), signature))
    ordered = any(isinstance(one, TupleWindow | PartitionWindow) for one in walk(prepared.program))
    predicate = inputs[0].predicate if len(inputs) == 1 else ""
    table = TableRows(signature.predicate, signature, columns, changes=False, times=writer)
    return RulesFunction(name, prepared, predicate, table, found, ordered)


def _answer(name: str, prepared: Prepared, answer: str | None) -> Signature:
    names = table_names(prepared.analysis.shown & prepared.analysis.intensional)
    if answer is None and len(names) == 1:
        return next(iter(names.values()))
    if answer in names:
        return names[answer]
    message = (
        f"The program shows {', '.join(names) or 'nothing'}, and {name} returns one table."
        if answer is None
        else f"The program does not show {answer}."
    )
    hint = f'Say `answer="{next(iter(names))}"`.' if names else "Add a rule, or a `#show`."
    raise Rejected([Diagnostic("E616", message, hint)])


def _form(prepared: Prepared, times: str | None) -> TimeForm:
    forms = {word: form for form, word in WORDS.items()}
    if times is None:
        return prepared.calendar.form or TimeForm.ZONED
    if times not in forms:
        raise Rejected([Diagnostic("E616", f"`{times}` is no type of times.", f"There are {', '.join(forms)}.")])
    return forms[times]
