"""What a stream says about itself, and how it ends: between two looks, and asked again at once, without a word."""

from __future__ import annotations

import logging
import os
import signal
from typing import Any, cast

import pytest

from larspark.cli.pipeline import stream
from larspark.cli.pipeline.session import is_no_interruption
from larspark.language.calendar import Calendar, TimeForm
from larspark.language.tree import Duration
from larspark.spark.stream.checkpoint import Progress
from larspark.write.times import POINTS, TimeWriter


class AskedQuery:
    """A query that somebody asks to end while it is waited for."""

    def __init__(self, times: int) -> None:
        self.times = times

    def awaitTermination(self, _seconds: float) -> bool:  # noqa: N802 - the name of Spark
        for _ in range(self.times):
            os.kill(os.getpid(), signal.SIGINT)
        return False


@pytest.mark.parametrize("times", [1, 2])
def test_asked_once_or_twice_in_one_go(times: int) -> None:
    """As `timeout` does, which asks a process and its group."""
    handler = signal.getsignal(signal.SIGINT)
    assert stream.ended(cast(Any, AskedQuery(times))) is False
    assert signal.getsignal(signal.SIGINT) is handler


def test_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "PATIENCE", -1)
    with pytest.raises(KeyboardInterrupt):
        stream.ended(cast(Any, AskedQuery(1)))


def test_a_call_to_the_jvm_that_is_torn_up_is_not_told(caplog: pytest.LogCaptureFixture) -> None:
    root = logging.getLogger()
    root.addFilter(is_no_interruption)
    try:
        logging.error("KeyboardInterrupt while sending command.")
        logging.error("Something else.")
    finally:
        root.removeFilter(is_no_interruption)
    assert caplog.messages == ["Something else."]


def test_how_far_it_is() -> None:
    now = Progress(first=29_552_100, heard=[29_552_130], watermark=29_552_124, arrivals=8, refused=2, rows=4)
    zoned = TimeWriter(Calendar(clock=Duration(1, "min")), TimeForm.ZONED)
    told = "8 atoms, 2 bad, 0 late; final up to 2026-03-10T07:24:00Z, 6 min behind; 4 intervals"
    assert stream.progress_line(now, zoned) == told
    assert "final up to 29552124, 6 behind" in stream.progress_line(now, POINTS)
