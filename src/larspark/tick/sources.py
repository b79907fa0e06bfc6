"""Sources: standard input, files, and live addresses."""

from __future__ import annotations

import heapq
import logging
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from io import RawIOBase
from pathlib import Path
from typing import Protocol

from larspark.diagnostics import Diagnostic, Rejected
from larspark.read import Chunk, Rules, read_chunks
from larspark.read.chunk import Refused
from larspark.read.formats.endings import CSV, PARQUET, RDF
from larspark.read.formats.lines import Lines, read_lines
from larspark.read.formats.text_lines import LONGEST, LiveLines
from larspark.read.live.addresses import Address
from larspark.read.live.ports import PortTaken
from larspark.read.live.receivers import receiver_of
from larspark.read.live.receiving import KeeperClosed, ReceivedLines
from larspark.read.live.socket_lines import SocketListener
from larspark.tick.intake import Intake
from larspark.tick.questions import MARK
from larspark.tick.signals import Signal, read_signals, signals_of

LOG = logging.getLogger("larspark.tick")

CHUNK = 1 << 16

AT_ONCE = 1 << 19
"""Bytes of a file that are read at once: an answer to them does not take long."""

RECENT = 4096
"""Receipts that are remembered; brokers have far fewer messages under way at a time."""

TABLES = (*CSV, *PARQUET, *RDF)


class SignalSource(Protocol):
    """Feeds an intake from threads of its own, and says when it has ended."""

    name: str

    def start(self, intake: Intake) -> None: ...

    def close(self) -> None: ...


class LinesSource:
    """Lines of an open binary stream, such as standard input."""

    def __init__(self, name: str, open_stream: Callable[[], RawIOBase], rules: Rules) -> None:
        self.name = name
        self._open = open_stream
        self._rules = rules

    def start(self, intake: Intake) -> None:
        threading.Thread(target=self._run, args=(intake,), daemon=True, name=self.name).start()

    def close(self) -> None:
        """Nothing to do: the thread ends with the stream, or with the process while it waits for input."""

    def _run(self, intake: Intake) -> None:
        stream = self._open()
        _feed(_chunks(stream), self.name, self._rules, intake)
        intake.end(self.name)


def stdin_source(rules: Rules) -> LinesSource:
    """Standard input without Python's buffer, whose lock a waiting thread would hold when the process ends."""
    return LinesSource("stdin", lambda: open(sys.stdin.fileno(), "rb", buffering=0, closefd=False), rules)


class FilesSource:
    """Recorded files, read together; what has times is merged by time. CSV and Parquet are known by their endings."""

    def __init__(self, paths: Iterable[Path], rules: Rules) -> None:
        self._paths = tuple(paths)
        for path in self._paths:
            path.open("rb").close()  # a missing file is told before anything starts
        self.name = ",".join(map(str, self._paths))
        self._rules = rules

    def start(self, intake: Intake) -> None:
        threading.Thread(target=self._run, args=(intake,), daemon=True, name=self.name).start()

    def close(self) -> None:
        """The thread sees the closed intake and ends."""

    def _run(self, intake: Intake) -> None:
        if len(self._paths) == 1:
            self._feed(self._paths[0], intake)
        else:
            self._merge(intake)
        intake.end(self.name)

    def _feed(self, path: Path, intake: Intake) -> None:
        """A file alone needs no merging, and stays in columns."""
        try:
            for chunk in self._read(path):
                intake.put(chunk, chunk.refused)
                if intake.closed:
                    return
        except Rejected as rejected:  # the file cannot be read any further
            intake.put([], tuple(Refused(one, "", 0) for one in rejected.diagnostics))

    def _merge(self, intake: Intake) -> None:
        readers = (self._events(path, intake) for path in self._paths)
        batch: list[Signal] = []
        for event in heapq.merge(*readers, key=lambda event: -1 if event.time is None else event.time):
            batch.append(event)
            if len(batch) >= 512:
                intake.put(batch)
                batch = []
            if intake.closed:
                break
        if batch:
            intake.put(batch)

    def _events(self, path: Path, intake: Intake) -> Iterator[Signal]:
        try:
            for chunk in self._read(path):
                if chunk.refused:
                    intake.put([], chunk.refused)
                yield from signals_of(chunk)
        except Rejected as rejected:  # the file cannot be read any further
            intake.put([], tuple(Refused(one, "", 0) for one in rejected.diagnostics))

    def _read(self, path: Path) -> Iterator[Chunk]:
        if path.suffix.lower() in TABLES:
            yield from read_chunks(path, replace(self._rules, live=False, ordered=True))
            return
        reader = LiveLines(self._rules)
        with path.open("rb") as stream:
            for lines in read_lines(stream, str(path), AT_ONCE):
                yield reader.chunk(lines)


class ReceivedSource:
    """Lines of a live address: the clients of a port, a server, or an MQTT broker.

    With `once` the source ends when the last client of a port, or the server, has left.
    """

    def __init__(self, name: str, address: Address, rules: Rules, options: Mapping[str, str], *, once: bool) -> None:
        self.name = name
        self._keeper = IntakeKeeper(name, rules)
        try:
            self._receiver = receiver_of(address, {**options, "once": str(once).lower()}, self._keeper)
        except PortTaken as taken:
            raise Rejected([taken.diagnostic]) from taken

    @property
    def port(self) -> int:
        """The port that clients may call."""
        assert isinstance(self._receiver, SocketListener)
        return self._receiver.port

    def start(self, intake: Intake) -> None:
        self._keeper.intake = intake
        try:
            self._receiver.start()
        except ConnectionError as error:
            hint = "Check the address, and whether somebody answers there."
            raise Rejected([Diagnostic("E702", f"{str(error)[:1].upper()}{str(error)[1:]}.", hint)]) from error

    def close(self) -> None:
        self._receiver.stop()


class IntakeKeeper:
    """Hands on to an intake what a receiver gets; every sender has its own line numbers."""

    name = None
    going_on = False

    def __init__(self, source: str, rules: Rules) -> None:
        self._source, self._rules = source, rules
        self.intake: Intake | None = None
        self._readers: dict[str, tuple[LiveLines, int]] = {}
        self._recent: deque[ReceivedLines] = deque(maxlen=RECENT)

    def known(self, received: ReceivedLines) -> bool:
        return received in self._recent

    def append(self, received: Sequence[ReceivedLines], sender: str = "") -> None:
        assert self.intake is not None
        reader, number = self._readers.get(sender) or (LiveLines(self._rules), 1)
        lines = b"".join(one.content + b"\n" for one in received)
        number += _put(reader, Lines(lines, f"{self._source}{sender}", number), self.intake)
        self._readers[sender] = reader, number
        self._recent.extend(one for one in received if one.receipt)
        if self.intake.closed:
            raise KeeperClosed

    def over(self) -> None:
        assert self.intake is not None
        self.intake.end(self._source)


def _chunks(stream: RawIOBase) -> Iterator[bytes]:
    """What is there, without waiting for a full buffer, so that a slow writer is heard at once."""
    while chunk := stream.read(CHUNK):
        yield chunk


def _feed(chunks: Iterable[bytes], name: str, rules: Rules, intake: Intake) -> None:
    """Complete lines go to the intake as soon as they are there, in one batch per chunk."""
    reader = LiveLines(rules)
    rest, number = b"", 1
    for chunk in chunks:
        lines, cut, rest = (rest + chunk).rpartition(b"\n")
        if cut:
            number += _put(reader, Lines(lines + cut, name, number), intake)
        if len(rest) > LONGEST:
            rest = rest[: LONGEST + 1]  # keeps its number and is reported as too long when it ends
        if intake.closed:
            return
    _put(reader, Lines(rest, name, number), intake)


def _put(reader: LiveLines, lines: Lines, intake: Intake) -> int:
    """Give lines on, questions between the signals before and after them; how many lines there were."""
    first = 0
    if intake.asked and MARK in lines.content:
        for place in range(len(lines)):
            line = lines.line(place).strip()
            if line.startswith(MARK):
                _put_signals(reader, _part(lines, first, place), intake)
                intake.ask(line.removeprefix(MARK).decode("utf-8", "backslashreplace").strip())
                first = place + 1
    _put_signals(reader, _part(lines, first, len(lines)), intake)
    return len(lines)


def _part(lines: Lines, first: int, last: int) -> Lines:
    """The lines from one place to another, which is not among them."""
    if first == 0 and last == len(lines):
        return lines
    content = b"".join(lines.line(place) + b"\n" for place in range(first, last))
    return Lines(content, lines.file, lines.first + first)


def _put_signals(reader: LiveLines, lines: Lines, intake: Intake) -> None:
    signals, faults = read_signals(reader, lines)
    if isinstance(signals, Chunk) or signals or faults:
        intake.put(signals, faults)
