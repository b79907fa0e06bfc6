"""What a run was about, written beside its results: program, inputs, timeline and options, so that it can be asked."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.calendar import Calendar
from larspark.language.parser import parse_program
from larspark.language.printing.printer import show
from larspark.language.tree import Duration
from larspark.language.values import Value, json_value
from larspark.read.formats.endings import ENDINGS
from larspark.runtime.prepared import Prepared, prepare
from larspark.write.times import zone_name

NAME, RUN, SCHEMA = "_manifest.json", "run", "larspark/run@1"


def write_part(folder: Path, told: Mapping[str, Any]) -> None:
    """Add to what the manifest of a folder tells."""
    file = folder / NAME
    known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    file.write_text(json.dumps({**known, **told}, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


@dataclass(frozen=True)
class InputFile:
    """A file or folder that was read, and how its columns are called."""

    path: str
    """Whole; or the name of what is no file, such as an address."""
    predicate: str | None = None
    columns: tuple[str, ...] = ()
    time: str = "time"

    def tables(self) -> Iterator[tuple[Path, str]]:
        """The files with the predicates that they are named after; `Rejected` when they are no longer there."""
        place = Path(self.path)
        if not place.is_absolute():
            message = f"The input `{self.path}` of the run is no file, so that a question cannot read it again."
            raise Rejected([Diagnostic("E568", message, "Ask about a recording of it, with `--stream`.")])
        if not place.exists():
            message = f"The input `{self.path}` of the run is no longer there."
            raise Rejected([Diagnostic("E568", message, "Bring it back, or ask with `--stream`.")])
        whole = not place.is_dir() or place.suffix.lower() in ENDINGS
        inside = [place] if whole else sorted(one for one in place.iterdir() if one.suffix.lower() in ENDINGS)
        for table in inside:
            name = self.predicate or table.stem
            parts = sorted(one for one in table.iterdir() if one.name[0] not in "._") if table.is_dir() else [table]
            yield from ((part, name) for part in parts)


@dataclass(frozen=True)
class RunManifest:
    program: str
    """The program file."""
    text: str
    """The program as it was evaluated."""
    inputs: tuple[InputFile, ...]
    timeline: tuple[int, int] | None
    """None: the run goes on."""
    clock: str
    epoch: str
    constants: Mapping[str, Any] = field(default_factory=dict)
    background: tuple[str, ...] = ()
    on_error: str = "stop"
    allow_functions: bool = False
    timezone: str | None = None
    """That of timestamps without one, where it was said."""

    @classmethod
    def of(
        cls,
        program: str,
        prepared: Prepared,
        inputs: Sequence[InputFile],
        timeline: tuple[int, int] | None,
        background: Sequence[str] = (),
        on_error: str = "stop",
    ) -> RunManifest:
        return cls(
            str(Path(program).resolve()),
            show(prepared.program),
            tuple(inputs),
            timeline,
            f"{prepared.calendar.clock.milliseconds}ms",
            prepared.calendar.epoch.isoformat(),
            {name: json_value(value) for name, value in prepared.constants.items()},
            tuple(str(Path(one).resolve()) for one in background),
            on_error,
            prepared.analysis.allow_functions,
            None if prepared.calendar.timezone is None else zone_name(prepared.calendar),
        )

    def write(self, folder: Path) -> None:
        inputs = [{**vars(one), "columns": list(one.columns)} for one in self.inputs]
        found = {"schema": SCHEMA, **vars(self), "inputs": inputs, "background": list(self.background)}
        write_part(folder, {RUN: found})

    @classmethod
    def read(cls, folder: Path) -> RunManifest:
        """`Rejected` when the folder is not one of results."""
        try:
            found = json.loads((folder / NAME).read_text(encoding="utf-8"))[RUN]
            if found.pop("schema") != SCHEMA:
                raise KeyError(SCHEMA)
            inputs = tuple(InputFile(**{**one, "columns": tuple(one["columns"])}) for one in found.pop("inputs"))
            timeline = tuple(found.pop("timeline") or ()) or None
            return cls(inputs=inputs, timeline=timeline, **{**found, "background": tuple(found["background"])})
        except (OSError, ValueError, KeyError, TypeError) as error:
            message = f"The folder `{folder}` does not tell what it holds the results of: there is no `{NAME}`."
            hint = "Name the folder of a run (`larspark run … --output FOLDER`), or ask with `--stream`."
            raise Rejected([Diagnostic("E568", message, hint)]) from error

    def prepared(self) -> Prepared:
        """The program as it was run; by its file as long as that says the same, so that proofs name its lines."""
        try:
            found = self.other_program(self.program)
            if show(found.program) == self.text:
                return found
        except Rejected:
            pass
        return prepare(
            parse_program(self.text, f"{Path(self.program).name} of the run"), clock=self._clock, **self._options
        ).require()

    def other_program(self, program: str) -> Prepared:
        """Another program with the options of the run."""
        constants: dict[str, Value] = {name: _value(value) for name, value in self.constants.items()}
        clock, options = self._clock, self._options
        own = prepare(Path(program), constants=constants, **options)
        same = own.calendar.clock.milliseconds == clock.milliseconds
        return (own if same else prepare(Path(program), clock=clock, constants=constants, **options)).require()

    @property
    def _clock(self) -> Duration:
        return Duration(int(self.clock.removesuffix("ms")), "ms")

    @property
    def _options(self) -> dict[str, Any]:
        epoch = datetime.fromisoformat(self.epoch)
        return {
            "epoch": None if epoch == Calendar().epoch else epoch,  # without one, times are told as they came
            "background": [Path(one) for one in self.background],
            "allow_functions": self.allow_functions,
            "timezone": self.timezone,
        }


def _value(value: Any) -> Value:
    from larspark.explain.proofs.proof import read_value  # noqa: PLC0415 - decimals as JSON has them

    return read_value(value)
