"""A stream that is asked to end does so between two looks; asked again, it ends at once and without a word."""

from __future__ import annotations

import logging
import os
import signal
from typing import Any, cast

import pytest

from larspark.cli.pipeline import stream
from larspark.cli.pipeline.session import is_no_interruption


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
