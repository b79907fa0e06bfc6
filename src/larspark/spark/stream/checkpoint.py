"""Where a stream keeps what it needs to go on: a folder per micro-batch, complete when its progress is there.

Spark repeats a micro-batch with the same data after a crash. Everything a batch writes is named after it and replaced
as a whole, and it starts from the folder of the batch before; so repeating it changes nothing.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

from larspark.analysis.typing.sorts import Sort
from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.calendar import TimeForm
from larspark.language.facts import Signature
from larspark.language.printing.printer import show_meaning
from larspark.spark.plan.plan import SparkPlan
from larspark.spark.stream.watermark import Timeline
from larspark.write.places import replace_text

VERSION = 1
"""Of the form in which a stream is kept; it goes up when an older one could not be gone on with."""
PROGRESS = "progress.json"
KEPT = 2
"""Folders of earlier batches that are kept: the one a repeated batch starts from, and one more."""


@dataclass(frozen=True)
class Progress:
    """How far a stream has come."""

    batch: int = -1
    first: int | None = None
    """The first time point of the timeline; it may still fall until the watermark has reached it."""
    heard: list[int | None] = field(default_factory=list)
    """The latest time of an arrival, for each input."""
    watermark: int = -1
    """Every evaluation up to here is final."""
    arrivals: int = 0
    refused: int = 0
    late: int = 0
    rows: int = 0
    """Intervals that have ended."""
    sorts: list[list[Any]] = field(default_factory=list)
    """Tables, columns and the sorts of the values they have had."""
    reasons: dict[str, int] = field(default_factory=dict)
    """How many bad records, by the code of the reason."""
    answers: dict[str, int] = field(default_factory=dict)
    """How many intervals have ended, by table."""
    came: dict[str, int] = field(default_factory=dict)
    """How many atoms have come, by predicate."""
    rules: dict[str, list[int]] = field(default_factory=dict)
    """What rules have given since it is counted (see `counting`)."""
    kept: dict[str, list[int | None]] = field(default_factory=dict)
    """How many arrivals each bucket keeps, and how many of them can matter (see `counting`)."""

    @property
    def name(self) -> str:
        """Under which the files of this step are known."""
        return f"batch-{self.batch:06d}"

    @property
    def columns(self) -> dict[tuple[str, str], Sort]:
        return {(table, column): Sort(*sort) for table, column, *sort in self.sorts}

    @property
    def seen(self) -> int | None:
        """The latest time of an arrival."""
        return self.timeline.seen

    @property
    def behind(self) -> int:
        """How many time points of the timeline are not final yet."""
        return 0 if self.seen is None else self.seen - max(self.watermark, (self.first or 0) - 1)

    @property
    def fed(self) -> dict[Signature, int]:
        """How many atoms of each predicate have come."""
        pairs = ((one.rpartition("/"), count) for one, count in self.came.items())
        return {Signature(name, int(arity)): count for (name, _, arity), count in pairs}

    @property
    def timeline(self) -> Timeline:
        return Timeline(self.first, tuple(self.heard), self.watermark)


class Checkpoint:
    """The folder of a stream."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def journals(self) -> Path:
        """For live sources, what they have received."""
        return self._folder / "sources"

    @property
    def of_spark(self) -> Path:
        return self._folder / "spark"

    @property
    def endings(self) -> Path:
        """Where it is said that the data has ended."""
        return self._folder / "endings"

    def say_ended(self, after: Progress) -> None:
        """Let the next micro-batch make everything final that has been seen."""
        replace_text(self.endings / f"after-{after.name}.txt", "end\n")

    def open(self, plan: SparkPlan, **settings: object) -> None:
        """Begin, or go on with the same program and settings; `Rejected` for others."""
        described = {"version": VERSION, "program": fingerprint(plan), **settings}
        path = self._folder / "stream.json"
        if not path.exists():
            self.endings.mkdir(parents=True, exist_ok=True)
            replace_text(path, json.dumps(described))
            return
        found = {"version": 1, **json.loads(path.read_text())}
        if found["version"] != VERSION:
            raise _another_version(self._folder.parent, found["version"])
        if found != described:
            raise another_stream(f"The stream in `{self._folder.parent}`")

    @property
    def identity(self) -> str:
        """What the stream is known by elsewhere; made up when it is asked for first."""
        path = self._folder / "identity.txt"
        if not path.exists():
            replace_text(path, uuid4().hex)
        return path.read_text()

    def form(self, form: TimeForm) -> TimeForm:
        """How times are written: as it was found when the stream began, which is now if it has not."""
        if not self._form.exists():
            replace_text(self._form, json.dumps(form))
        return self.known_form

    @property
    def known_form(self) -> TimeForm:
        """How times are written, once the stream has begun."""
        return TimeForm(json.loads(self._form.read_text())) if self._form.exists() else TimeForm.POINTS

    @property
    def _form(self) -> Path:
        return self._folder / "form.json"

    def progress(self, batch: int) -> Progress:
        """The progress when a batch was done; before the first one there is none."""
        if batch < 0:
            return Progress()
        return Progress(**json.loads((self.state(Progress(batch)) / PROGRESS).read_text()))

    def last(self) -> Progress:
        done = [int(path.parent.name.split("-")[1]) for path in self._folder.glob(f"state/*/{PROGRESS}")]
        return self.progress(max(done, default=-1))

    def state(self, progress: Progress) -> Path:
        """The folder of a step."""
        return self._folder / "state" / progress.name

    def commit(self, progress: Progress) -> None:
        """Declare a step done, and forget what no repetition can need."""
        self.state(progress).mkdir(parents=True, exist_ok=True)
        replace_text(self.state(progress) / PROGRESS, json.dumps(asdict(progress)))
        for path in (self._folder / "state").iterdir():
            if int(path.name.split("-")[1]) < progress.batch - KEPT:
                shutil.rmtree(path, ignore_errors=True)


def _another_version(folder: Path, version: object) -> Rejected:
    message = (
        f"The stream in `{folder}` is kept in the form of version {version}, this larspark goes on from {VERSION}."
    )
    hint = "End it with the larspark that began it (`--once`), and go on in another folder with what arrives later."
    return Rejected([Diagnostic("E605", message, hint)])


def another_stream(which: str) -> Rejected:
    message = (
        f"{which} was begun with another program, background, input, lateness, number of partitions or kind of tables."
    )
    return Rejected([Diagnostic("E605", message, "Go on with the same ones, or name another folder.")])


def fingerprint(plan: SparkPlan, *settings: object) -> str:
    """Tells programs with their background and settings apart."""
    known = (*plan.shown, *sorted(map(str, plan.background)), plan.calendar, *settings)
    text = "\n".join([show_meaning(plan.analysis.program), *map(str, known)])
    return hashlib.sha256(text.encode()).hexdigest()
