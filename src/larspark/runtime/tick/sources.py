"""Sources: standard input, files, and sockets that any number of clients may connect to, leave and come back to."""

from __future__ import annotations

import heapq
import logging
import socket
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from io import RawIOBase
from pathlib import Path
from typing import Protocol

from larspark.diagnostics import Rejected
from larspark.read import Chunk, Rules, read_chunks
from larspark.read.endings import CSV, PARQUET, RDF
from larspark.read.lines import Lines, read_lines
from larspark.read.text_lines import LONGEST, LiveLines
from larspark.runtime.tick.events import Event, events_of, read_events
from larspark.runtime.tick.intake import Intake
from larspark.runtime.tick.ports import listen

LOG = logging.getLogger("larspark.tick")

CHUNK = 1 << 16

TABLES = (*CSV, *PARQUET, *RDF)


class Source(Protocol):
    """Feeds an intake from threads of its own, and says when it has ended."""

    name: str

    def start(self, intake: Intake) -> None: ...

    def close(self) -> None: ...


class StreamSource:
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


def stdin_source(rules: Rules) -> StreamSource:
    """Standard input without Python's buffer, whose lock a waiting thread would hold when the process ends."""
    return StreamSource("stdin", lambda: open(sys.stdin.fileno(), "rb", buffering=0, closefd=False), rules)


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
        readers = (self._events(path, intake) for path in self._paths)
        batch: list[Event] = []
        for event in heapq.merge(*readers, key=lambda event: -1 if event.time is None else event.time):
            batch.append(event)
            if len(batch) >= 512:
                intake.put(batch)
                batch = []
            if intake.closed:
                break
        if batch:
            intake.put(batch)
        intake.end(self.name)

    def _events(self, path: Path, intake: Intake) -> Iterator[Event]:
        try:
            for chunk in self._read(path):
                if chunk.refused:
                    intake.put([], tuple(one.diagnostic for one in chunk.refused))
                yield from events_of(chunk)
        except Rejected as rejected:  # the file cannot be read any further
            intake.put([], rejected.diagnostics)

    def _read(self, path: Path) -> Iterator[Chunk]:
        if path.suffix.lower() in TABLES:
            yield from read_chunks(path, replace(self._rules, live=False, ordered=True))
            return
        reader = LiveLines(self._rules)
        with path.open("rb") as stream:
            for lines in read_lines(stream, str(path)):
                yield reader.chunk(lines)


class SocketSource:
    """Lines from the clients of a port.

    A client that leaves may come back, or another one. With `once` the source ends when its last client has left.
    """

    def __init__(self, host: str, port: int, rules: Rules, *, once: bool = False) -> None:
        self._server = listen(host, port)
        self.port = self._server.getsockname()[1]
        self.name = f"socket:{self.port}"
        self._rules = rules
        self._once = once
        self._clients: set[socket.socket] = set()
        self._lock = threading.Lock()

    def start(self, intake: Intake) -> None:
        threading.Thread(target=self._accept, args=(intake,), daemon=True, name=self.name).start()

    def close(self) -> None:
        self._server.close()
        with self._lock:
            for client in self._clients:
                client.close()

    def _accept(self, intake: Intake) -> None:
        number = 0
        while not intake.closed:
            try:
                client, _ = self._server.accept()
            except OSError:  # closed
                return
            number += 1
            with self._lock:
                self._clients.add(client)
            name = self.name if number == 1 else f"{self.name}#{number}"
            LOG.debug("%s: a client connected", name)
            threading.Thread(target=self._serve, args=(client, name, intake), daemon=True, name=name).start()

    def _serve(self, client: socket.socket, name: str, intake: Intake) -> None:
        with client:
            _feed(_received(client), name, self._rules, intake)
        LOG.debug("%s: the client left", name)
        with self._lock:
            self._clients.discard(client)
            last = self._once and not self._clients
        if last:
            self._server.close()
            intake.end(self.name)


def _chunks(stream: RawIOBase) -> Iterator[bytes]:
    """What is there, without waiting for a full buffer, so that a slow writer is heard at once."""
    while chunk := stream.read(CHUNK):
        yield chunk


def _received(client: socket.socket) -> Iterator[bytes]:
    try:
        while chunk := client.recv(CHUNK):
            yield chunk
    except OSError:  # the client vanished
        return


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
    """Give lines on; how many there were."""
    events, faults = read_events(reader, lines)
    if events or faults:
        intake.put(events, faults)
    return len(lines)
