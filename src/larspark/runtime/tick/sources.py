"""Sources: standard input, files, and sockets that any number of clients may connect to, leave and come back to."""

from __future__ import annotations

import heapq
import logging
import socket
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from io import RawIOBase
from pathlib import Path
from typing import Protocol

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.calendar import Calendar
from larspark.runtime.formats.streams import StreamReader
from larspark.runtime.tick.intake import Intake
from larspark.runtime.tick.lines import LONGEST, Event, LineReader
from larspark.runtime.tick.ports import listen

LOG = logging.getLogger("larspark.tick")

CHUNK = 1 << 16

TABLES = (".csv", ".parquet")


class Source(Protocol):
    """Feeds an intake from threads of its own, and says when it has ended."""

    name: str

    def start(self, intake: Intake) -> None: ...

    def close(self) -> None: ...


class StreamSource:
    """Lines of an open binary stream, such as standard input."""

    def __init__(self, name: str, open_stream: Callable[[], RawIOBase], calendar: Calendar | None = None) -> None:
        self.name = name
        self._open = open_stream
        self._calendar = calendar

    def start(self, intake: Intake) -> None:
        threading.Thread(target=self._run, args=(intake,), daemon=True, name=self.name).start()

    def close(self) -> None:
        """Nothing to do: the thread ends with the stream, or with the process while it waits for input."""

    def _run(self, intake: Intake) -> None:
        stream = self._open()
        _feed(_chunks(stream), LineReader(self.name, self._calendar), intake)
        intake.end(self.name)


def stdin_source(calendar: Calendar | None = None) -> StreamSource:
    """Standard input without Python's buffer, whose lock a waiting thread would hold when the process ends."""
    return StreamSource("stdin", lambda: open(sys.stdin.fileno(), "rb", buffering=0, closefd=False), calendar)


class FilesSource:
    """Recorded files, read together; what has times is merged by time. CSV and Parquet are known by their endings."""

    def __init__(self, paths: Iterable[Path], calendar: Calendar | None = None) -> None:
        self._paths = tuple(paths)
        for path in self._paths:
            path.open("rb").close()  # a missing file is told before anything starts
        self.name = ",".join(map(str, self._paths))
        self._calendar = calendar

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
        return (self._records if path.suffix.lower() in TABLES else self._lines)(path, intake)

    def _lines(self, path: Path, intake: Intake) -> Iterator[Event]:
        reader = LineReader(str(path), self._calendar)
        with path.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                found = reader.read(number, line)
                if isinstance(found, Diagnostic):
                    intake.put([], (found,))
                else:
                    yield from found

    def _records(self, path: Path, intake: Intake) -> Iterator[Event]:
        records = StreamReader(path, calendar=self._calendar, on_error="skip")
        try:
            yield from (Event(fact, time) for time, fact in records)
        except Rejected as rejected:  # the file as a whole cannot be read
            intake.put([], rejected.diagnostics)
        intake.put([], tuple(records.diagnostics))


class SocketSource:
    """Lines from the clients of a port.

    A client that leaves may come back, or another one. With `once` the source ends when its last client has left.
    """

    def __init__(self, host: str, port: int, calendar: Calendar | None = None, *, once: bool = False) -> None:
        self._server = listen(host, port)
        self.port = self._server.getsockname()[1]
        self.name = f"socket:{self.port}"
        self._calendar = calendar
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
            _feed(_received(client), LineReader(name, self._calendar), intake)
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


def _feed(chunks: Iterable[bytes], reader: LineReader, intake: Intake) -> None:
    """Complete lines go to the intake as soon as they are there, in one batch per chunk."""
    rest, number = b"", 0
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        _put(lines, number, reader, intake)
        number += len(lines)
        if len(rest) > LONGEST:
            rest = rest[: LONGEST + 1]  # keeps its number and is reported as too long when it ends
        if intake.closed:
            return
    _put([rest], number, reader, intake)


def _put(lines: list[bytes], before: int, reader: LineReader, intake: Intake) -> None:
    events: list[Event] = []
    faults: list[Diagnostic] = []
    for number, line in enumerate(lines, before + 1):
        found = reader.read(number, line)
        if isinstance(found, Diagnostic):
            faults.append(found)
        else:
            events += found
    if events or faults:
        intake.put(events, tuple(faults))
