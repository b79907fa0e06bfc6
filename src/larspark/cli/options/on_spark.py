"""Comparisons over a history that is too large for one process."""

from __future__ import annotations

import argparse

from larspark.cli.options.questions import AskedProgram
from larspark.diagnostics import Rejected
from larspark.explain.differences.changed_data import NO_CHANGES, ArrivalChanges
from larspark.explain.differences.differences import AnswerDifference
from larspark.explain.phrasing import Phrasing
from larspark.runtime.prepared import Prepared
from larspark.spark.comparing import compare_on_spark, options_of
from larspark.spark.session.failures import SparkError, rejected
from larspark.spark.session.session import spark_session


def compared(
    arguments: argparse.Namespace, old: Prepared, new: AskedProgram, changes: ArrivalChanges = NO_CHANGES
) -> tuple[list[AnswerDifference], Phrasing]:
    """The old program over the history, and the new one over the history with changes."""
    objections = [new.prepared.admission.objection(one.fact) for one in changes.added]
    if wrong := [one for one in objections if one is not None]:
        raise Rejected(wrong)
    options = options_of(new.timeline, new.on_error)
    try:
        session = spark_session(arguments.master)
        found = compare_on_spark(session, old, new.prepared, new.source, options, changes, arguments.explain)
    except SparkError as error:
        raise rejected(error) from error
    return found.differences, found.words
