"""What a page follows: a running engine, its arrivals and changes, kept as far as that is bounded."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from larspark.explain.evaluations.history import AnswerHistory, Refusal, Sourced
from larspark.language.facts import Fact
from larspark.reasoners.protocol import Change
from larspark.runtime.prepared import Prepared
from larspark.web.describe import calendar_json, predicates_json, predicates_of, program_json
from larspark.web.log import EventLog, tick_text
from larspark.web.marks import AnswerMark, lanes_json
from larspark.web.picture import SCHEMA, refusal_json
from larspark.web.questions import SeenSoFar, complete_from
from larspark.web.tally import MarkTally

REFUSED = 200
"""Refusals that are kept with their reasons; all are counted."""


class LiveFollowing:
    """Written by the thread of the engine, read by those of the server; the log is read without the lock."""

    answers = True
    """Whether what has arrived is known, so that questions can be answered."""

    def __init__(self, prepared: Prepared, file: Path | None, reasoner: str, first: int, history: int) -> None:
        self.lock = threading.RLock()
        self.prepared, self.file, self.reasoner = prepared, file, reasoner
        self.text: str | None = None
        """The program as edited; None: as it stands in its file."""
        self.time: int | None = None
        self.log = EventLog()
        self.version = 0
        """Of the state: grows with everything that a page should be told."""
        self._first, self._most = first, history
        self._arrivals: list[Sourced] = []
        self._watched: deque[tuple[int, Sequence[Fact], Change]] = deque()
        """Evaluations of an engine that somebody else drives, which nobody has looked at yet."""
        self._kept_from = first
        self._refused: deque[Refusal] = deque(maxlen=REFUSED)
        self._refused_in_all = 0
        self._taken = self._typed = 0
        self._tally, self._tallied = MarkTally(history), 0

    @property
    def name(self) -> str:
        return str(self.file) if self.file else "program"

    # -- by the engine -----------------------------------------------------------------------------

    def starts(self, first: int) -> None:
        """An engine begins at a time point; what there was before it is gone."""
        with self.lock:
            self._watched.clear()
            self._first = self._kept_from = first
            self.time = None
            self.began(self.prepared, [], None)

    def watch(self, time: int, atoms: Sequence[Fact], change: Change) -> None:
        """An evaluation of an engine that must not be held up: whoever reads has the work with it."""
        self._watched.append((time, atoms, change))

    @property
    def unsettled(self) -> bool:
        return bool(self._watched)

    def settle(self) -> None:
        """Take over what was watched."""
        if not self._watched:
            return
        with self.lock:
            while self._watched:
                time, atoms, change = self._watched.popleft()
                self.happened(time, [Sourced(time, fact) for fact in atoms], change)

    def happened(self, time: int, arrived: Sequence[Sourced], change: Change) -> None:
        """An evaluation; nothing is decoded here."""
        self.time = time if self.time is None else max(time, self.time)
        self._arrivals.extend(arrived)
        self._taken += len(arrived)
        self.log.append(time, arrived, change)
        if len(self._arrivals) > self._most + self._most // 4 + 64:
            self._forget()
        self.version += 1

    def ended(self, time: int, marks: Sequence[AnswerMark]) -> None:
        """Conclusions that are final, and the evaluation up to which they are."""
        self.time = time if self.time is None else max(time, self.time)
        self.log.append(time, (), None, ended=marks)
        self.version += 1

    def refuse(self, refused: Sequence[Refusal]) -> None:
        self.settle()
        self._refused.extend(refused)
        self._refused_in_all += len(refused)
        self.log.append(self._first if self.time is None else self.time, (), None, refused)
        self.version += 1

    def _forget(self) -> None:
        """Whole time points go, the oldest first."""
        cut = self._arrivals[-self._most].time
        self._arrivals = [one for one in self._arrivals if one.time >= cut]
        self._kept_from = cut

    def noted(self) -> None:
        """Something other than data has changed."""
        self.version += 1

    def began(self, prepared: Prepared, arrivals: list[Sourced], history: AnswerHistory | None) -> None:
        """Another run over these arrivals: pages begin anew."""
        self.prepared, self._arrivals, self._taken = prepared, arrivals, len(arrivals)
        self.log, self._tally, self._tallied = EventLog(), MarkTally(self._most), 0
        if history is not None:
            self._tally.begin(arrivals, history, self._refused)
            self.log.begin_after((history.end, 0))
        if len(arrivals) > self._most:
            self._forget()
        self.version += 1

    # -- by the server -----------------------------------------------------------------------------

    def asked(self) -> SeenSoFar:
        with self.lock:
            self.settle()
            end = self._first if self.time is None else self.time
            whole = complete_from(self.prepared, self._first, self._kept_from)
            refused = tuple(self._refused)
            return SeenSoFar(self.prepared, tuple(self._arrivals), refused, self._first, end, self.reasoner, whole)

    def tally(self) -> None:
        """Bring the marks up to date; called now and then, so that no event is lost for pages that open later."""
        with self.lock:
            self.settle()
            log = self.log
            while (found := log.since(self._tallied, 1000)) is not None and found[0]:
                for event in found[0]:
                    self._tally.follow(event)
                self._tallied = found[1]
            if found is None:
                self._tallied = log.end

    def picture(self, can: dict[str, bool]) -> dict[str, Any]:
        """Everything up to now, and the id of the event up to which it goes."""
        with self.lock:
            self.tally()
            marks = list(self._tally.marks())
            prepared, end = self.prepared, self._first if self.time is None else self.time
            last, run, state, void = self.log.last, self.log.run, self.state(), list(self._tally.void)
        seen = dict.fromkeys(mark.fact.signature for mark in marks)
        predicates = list(dict.fromkeys((*predicates_of(prepared), *seen)))
        return {
            "schema": SCHEMA,
            "title": self.file.name if self.file else "program",
            "command": "serve",
            "live": True,
            "start": self._first,
            "end": end,
            "calendar": calendar_json(prepared.calendar, self._first),
            "program": program_json(prepared, self.file, self.text),
            "predicates": predicates_json(prepared, predicates),
            "lanes": lanes_json(marks, predicates),
            "void": [list(span) for span in void],
            "accounts": state["accounts"],
            "state": state,
            "id": "" if last is None else tick_text(last),
            "run": run,
            "can": can,
            "cursor": None,
        }

    def state(self) -> dict[str, Any]:
        """What is told beside the data."""
        accounts: dict[str, Any] = {
            "used": self._taken,
            "refused": [refusal_json(one) for one in tuple(self._refused)],
            "refusedInAll": max(self._refused_in_all, len(self._refused)),
        }
        if self._tally.left_out:
            kept = self._most
            accounts["dropped"] = f"{self._tally.left_out} older marks are no longer kept (--history {kept})."
        return {"accounts": accounts, "time": self.time}
