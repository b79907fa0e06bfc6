"""What a live source has received, on disk until Spark has done with it, so that a repeated micro-batch is the same.

Lines are numbered from 0 on; a segment is a file named after its first line. Every line carries a receipt: under which
name the sender knows it, if it may come again.
"""

from __future__ import annotations

import fcntl
import os
import platform
import threading
import time
from collections import deque
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import IO, NamedTuple, Self

from larspark.read.live.receiving import KeeperClosed, ReceivedLines

ENDING = ".lines"
SEGMENTS = 8
"""How many segments the allowed space is divided into; whole segments are forgotten."""
RECENT = 4096
"""How many receipts are remembered; brokers have far fewer messages under way at a time."""

STRIDE = 1 << 16
"""Bytes after which the place of a line is noted, so that reading can begin there."""
LOCK_TIMEOUT = 15.0
"""Seconds to wait for the lock of the folder."""


class JournalEntry(NamedTuple):
    """A line as it came, without its end."""

    text: str
    receipt: str = ""


class Journal:
    """A folder with one writer. `append` waits while the folder is full, and so holds up the sender."""

    def __init__(self, folder: Path, most_bytes: int) -> None:
        self._folder = folder
        self._most_bytes = most_bytes
        self._changed = threading.Condition()
        self._closed = False
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = _locked(folder / "lock")
        self._marks: dict[int, list[tuple[int, int]]] = {}
        self._sizes = {int(path.stem): path.stat().st_size for path in folder.glob(f"*{ENDING}")}
        self.recent: deque[JournalEntry] = deque(maxlen=RECENT)
        self.end = self._mend_last()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def name(self) -> str:
        """Tells journals apart, on all machines that use the same broker."""
        return f"{platform.node()}:{self._folder.resolve()}"

    @property
    def going_on(self) -> bool:
        return self.end > 0

    def known(self, received: ReceivedLines) -> bool:
        return all(entry in self.recent for entry in _entries(received))

    def over(self) -> None:
        """What has been received stays."""

    def append(self, received: Sequence[ReceivedLines], sender: str = "") -> None:
        """Put lines on disk; when this returns they survive a crash. Blank ones are left out."""
        del sender  # the order of arrival is all that counts
        entries = [entry for one in received for entry in _entries(one)]
        data = "".join(f"{entry.receipt}\t{entry.text}\n" for entry in entries).encode()
        with self._changed:
            self._changed.wait_for(lambda: self._closed or sum(self._sizes.values()) < self._most_bytes)
            if self._closed:
                raise KeeperClosed
            self._write(self._segment(), data)
            self.end += len(entries)
            self.recent.extend(entry for entry in entries if entry.receipt)

    def read(self, start: int, stop: int) -> list[str]:
        """The lines from `start` up to before `stop`."""
        with self._changed:
            firsts = [*sorted(self._sizes), self.end]
        if start < firsts[0] or stop > firsts[-1]:
            message = f"lines {start} to {stop} are asked for, but {self._folder} holds {firsts[0]} to {firsts[-1]}"
            raise LookupError(message)
        found: list[str] = []
        for first, after in pairwise(firsts):
            if first < stop and start < after:
                line, entries = self._entries(first, start, stop)
                found += [entry.text for entry in entries[max(start - line, 0) : stop - line]]
        return found

    def forget(self, before: int) -> None:
        """Lines before this number are not needed any more; the last segment stays, for its receipts."""
        with self._changed:
            firsts = sorted(self._sizes)
            for first, after in pairwise(firsts):
                if after <= before:
                    self._path(first).unlink()
                    del self._sizes[first]
                    self._marks.pop(first, None)
            self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._lock.close()

    def _write(self, segment: int, data: bytes) -> None:
        path, size = self._path(segment), self._sizes.get(segment, 0)
        try:
            with path.open("ab") as file:
                file.write(data)
                file.flush()
                os.fdatasync(file.fileno())
        except OSError:
            os.truncate(path, size)  # a full disk takes a part; numbers count whole lines
            raise
        marks = self._marks.setdefault(segment, [(segment, 0)])
        if size - marks[-1][1] >= STRIDE:
            marks.append((self.end, size))
        self._sizes[segment] = size + len(data)

    def _segment(self) -> int:
        """Where the next line goes."""
        last = max(self._sizes, default=None)
        return self.end if last is None or self._sizes[last] >= self._most_bytes // SEGMENTS else last

    def _mend_last(self) -> int:
        """Cut off a line that a crash left unfinished; the number of the next line."""
        last = max(self._sizes, default=None)
        if last is None:
            return 0
        whole = self._path(last).read_bytes().rfind(b"\n") + 1
        os.truncate(self._path(last), whole)
        self._sizes[last] = whole
        _, entries = self._entries(last, last, last)
        self.recent.extend(entry for entry in entries if entry.receipt)
        return last + len(entries)

    def _entries(self, first: int, start: int, stop: int) -> tuple[int, Sequence[JournalEntry]]:
        """Lines of a segment that include those asked for, and the number of the first of them."""
        marks = self._marks.get(first, [(first, 0)])
        line, begin = max((mark for mark in marks if mark[0] <= start), default=marks[0])
        end = min((byte for number, byte in marks if number >= stop and byte > begin), default=None)
        with self._path(first).open("rb") as file:
            file.seek(begin)
            data = file.read(-1 if end is None else end - begin)
        cells = (raw.partition(b"\t") for raw in data.split(b"\n")[:-1])
        return line, [JournalEntry(text.decode(), receipt.decode()) for receipt, _, text in cells]

    def _path(self, first: int) -> Path:
        return self._folder / f"{first:020d}{ENDING}"


def _locked(path: Path) -> IO[str]:
    """The lock of the folder; the process of a query that was killed may hold it for a moment longer."""
    file = path.open("w")
    deadline = time.monotonic() + LOCK_TIMEOUT
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                file.close()
                raise
            time.sleep(0.1)
        else:
            return file


def _entries(received: ReceivedLines) -> list[JournalEntry]:
    """The lines that are not blank."""
    return [JournalEntry(_text(line), received.receipt) for line in received.content.split(b"\n") if line.strip()]


def _text(line: bytes) -> str:
    """What is no UTF-8 is spelled so that it is refused as a record, and can be found there."""
    try:
        return line.decode().strip()
    except UnicodeDecodeError:
        return f"not UTF-8: {line.decode(errors='backslashreplace').strip()}"
