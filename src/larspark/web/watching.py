"""A page attached to an engine that somebody else drives: its reasoner is watched, nothing else changes."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from larspark.diagnostics import Diagnostic
from larspark.explain.evaluations.history import RecordPlace, Refusal
from larspark.language.facts import Fact
from larspark.reasoners.protocol import Answer, Change, Foreseeing, Reasoner
from larspark.web.following import LiveFollowing


class Watched:
    """A reasoner that tells a page what arrives and what changes; changes are decoded by whoever looks."""

    def __init__(self, reasoner: Reasoner, followed: LiveFollowing) -> None:
        self._reasoner, self._followed = reasoner, followed

    def advance(self, time: int, atoms: Sequence[Fact] = ()) -> Change:
        change = self._reasoner.advance(time, atoms)
        self._followed.watch(time, atoms, change)
        return change

    def answer(self, models: int | None = 1) -> Answer:
        return self._reasoner.answer(models)


class WatchedForeseeing(Watched):
    """The same of one that knows when its answer changes by itself."""

    _reasoner: Foreseeing  # type: ignore[assignment]  # a reasoner that is both

    def next_change(self) -> int | None:
        return self._reasoner.next_change()


def watched(reasoner: Reasoner, followed: LiveFollowing, start: int) -> Reasoner:
    """The page begins anew with it."""
    followed.starts(start)
    return WatchedForeseeing(reasoner, followed) if isinstance(reasoner, Foreseeing) else Watched(reasoner, followed)


class RefusalHandler(logging.Handler):
    """Takes what an engine logs about input that it did not take to the accounts of the page."""

    def __init__(self, followed: LiveFollowing) -> None:
        super().__init__(logging.WARNING)
        self._followed = followed

    def emit(self, record: logging.LogRecord) -> None:
        finding = getattr(record, "diagnostic", None)
        if isinstance(finding, Diagnostic):
            place = RecordPlace(finding.origin.file, finding.origin.line) if finding.origin else None
            self._followed.refuse([Refusal(place, finding.message, finding.code)])
