"""One answer stream over time, in columns: points, changes or intervals, printed or written to a file."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from larspark.cli.options.arguments import answer_times
from larspark.cli.options.profiling import profiled
from larspark.reasoners.protocol import Reasoner
from larspark.runtime import stretches
from larspark.runtime.pointwise import Wanted, evaluate
from larspark.runtime.prepared import Prepared
from larspark.runtime.recording import OpenRecording, require_evaluation
from larspark.write.files import write_file, write_to_terminal
from larspark.write.shapes import shape_of, small_spans


def write_answers(
    prepared: Prepared, recording: OpenRecording, wanted: Wanted, arguments: argparse.Namespace
) -> Reasoner:
    """Evaluate while the recording is read; the reasoner, which decides whether in columns."""
    reasoner = prepared.reasoner(arguments.reasoner, recording.start)
    if wanted.at is not None:
        require_evaluation(wanted.at, recording.start)
    parts_of = _in_columns if arguments.reasoner == "interval" else _from_facts
    parts = parts_of(reasoner, recording, wanted, arguments.shape)
    shape = shape_of(arguments.shape, answer_times(arguments, prepared, recording.form))
    with profiled(reasoner, arguments):
        if arguments.output:
            write_file(shape, parts, Path(arguments.output))
        else:
            write_to_terminal(shape, parts, as_json=arguments.format == "json")
    return reasoner


def _in_columns(reasoner: Reasoner, recording: OpenRecording, wanted: Wanted, shape: str) -> Iterator[Any]:
    """The whole history without an object per atom, and without more of the recording than windows see."""
    from larspark.reasoners.interval import IntervalReasoner  # noqa: PLC0415 - loads kernels
    from larspark.runtime.replay import Replay  # noqa: PLC0415

    assert isinstance(reasoner, IntervalReasoner)
    replay = Replay(reasoner, wanted.shown)
    last = recording.end if wanted.at is None else wanted.at
    match shape:
        case "changes":
            return replay.changes(recording.chunks(), last)
        case "intervals":
            return replay.intervals(recording.chunks(), last, used_up=True)
    return small_spans(replay.points(recording.chunks(), last, wanted.at))


def _from_facts(reasoner: Reasoner, recording: OpenRecording, wanted: Wanted, shape: str) -> Iterator[Any]:
    answers = evaluate(reasoner, recording.read(), wanted)
    match shape:
        case "changes":
            return stretches.changes_of(answers)
        case "intervals":
            return stretches.intervals_of(answers)
    return stretches.points_of(answers)
