"""What live sources have received survives crashes, is given out again as it was, and takes bounded space."""

from __future__ import annotations

import errno
import os
import threading
from pathlib import Path
from random import Random

import pytest

from larspark.read.live.journal import Journal
from larspark.read.live.receiving import KeeperClosed, ReceivedLines


def entries(first: int, last: int) -> list[ReceivedLines]:
    return [ReceivedLines(f"line {n}\twith a tab".encode(), f"r{n}") for n in range(first, last)]


def texts(first: int, last: int) -> list[str]:
    return [received.content.decode() for received in entries(first, last)]


def test_lines_are_read_by_their_numbers_across_segments(tmp_path: Path) -> None:
    with Journal(tmp_path, most_bytes=1_000_000) as journal:
        journal._most_bytes = 800
        for n in range(20):
            journal.append(entries(n, n + 1))
        assert len(list(tmp_path.glob("*.lines"))) > 2
        assert journal.read(3, 17) == texts(3, 17)
        assert journal.read(20, 20) == []


def test_any_range_is_read_whatever_is_noted_of_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("larspark.read.live.journal.STRIDE", 50)
    random = Random(1)
    with Journal(tmp_path, most_bytes=20_000) as journal:
        while journal.end < 300:
            journal.append(entries(journal.end, journal.end + random.randint(1, 5)))
        for _ in range(200):
            start, stop = sorted(random.choices(range(journal.end + 1), k=2))
            assert journal.read(start, stop) == texts(start, stop)
        end = journal.end
    with Journal(tmp_path, most_bytes=20_000) as journal:
        journal.append(entries(end, end + 9))
        assert journal.read(end - 20, end + 8) == texts(end - 20, end + 8)


def test_what_is_on_disk_is_there_after_a_crash_but_not_half_a_line(tmp_path: Path) -> None:
    with Journal(tmp_path, most_bytes=1000) as journal:
        journal.append(entries(0, 5))
    (segment,) = tmp_path.glob("*.lines")
    with segment.open("ab") as file:
        file.write(b"r5\tunfini")
    with Journal(tmp_path, most_bytes=1000) as journal:
        assert journal.end == 5
        journal.append(entries(5, 7))
        assert journal.read(2, 7) == texts(2, 7)
        assert [entry.receipt for entry in journal.recent] == [f"r{n}" for n in range(7)]


def test_done_segments_are_forgotten_and_asking_for_them_is_an_error(tmp_path: Path) -> None:
    with Journal(tmp_path, most_bytes=400) as journal:
        for n in range(10):
            journal.append(entries(n, n + 1))
        journal.forget(8)
        assert min(int(path.stem) for path in tmp_path.glob("*.lines")) > 0
        assert journal.read(8, 10) == texts(8, 10)
        with pytest.raises(LookupError, match="are asked for"):
            journal.read(0, 10)


def test_a_full_journal_holds_up_the_sender(tmp_path: Path) -> None:
    with Journal(tmp_path, most_bytes=200) as journal:
        sent = threading.Event()

        def send() -> None:
            for n in range(40):
                journal.append(entries(n, n + 1))
            sent.set()

        threading.Thread(target=send, daemon=True).start()
        done = 0
        while not sent.wait(0.05) or done < 40:
            assert sum(path.stat().st_size for path in tmp_path.glob("*.lines")) < 250
            end = journal.end
            assert journal.read(done, end) == texts(done, end)
            done = end
            journal.forget(done)
        assert done == 40


def test_closing_frees_a_sender_that_waits(tmp_path: Path) -> None:
    journal = Journal(tmp_path, most_bytes=10)
    journal.append(entries(0, 1))
    threading.Timer(0.1, journal.close).start()
    with pytest.raises(KeeperClosed):
        journal.append(entries(1, 2))


def test_a_full_disk_leaves_whole_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with Journal(tmp_path, most_bytes=1000) as journal:
        journal.append(entries(0, 2))
        with monkeypatch.context() as patched:
            patched.setattr(os, "fdatasync", full)
            with pytest.raises(OSError, match="No space"):
                journal.append(entries(2, 4))
        journal.append(entries(2, 3))
        assert journal.read(0, journal.end) == texts(0, 3)


def test_two_streams_do_not_share_a_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("larspark.read.live.journal.LOCK_TIMEOUT", 0.1)
    with Journal(tmp_path, 100), pytest.raises(BlockingIOError):
        Journal(tmp_path, 100)
