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
from typing import BinaryIO, Protocol

from larspark.diagnostics import Diagnostic
from larspark.language.calendar import Calendar
from larspark.runtime.tick.intake import Intake
from larspark.runtime.tick.lines import LONGEST, Event, LineReader
from larspark.runtime.tick.ports import listen

LOG = logging.getLogger("larspark.tick")

CHUNK = 1 << 16


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
    """Recorded files, read together; lines with times are merged by time."""

    def __init__(self, paths: Iterable[Path], calendar: Calendar | None = None) -> None:
        self._streams = [(str(path), path.open("rb")) for path in paths]
        self.name = ",".join(name for name, _ in self._streams)
        self._calendar = calendar

    def start(self, intake: Intake) -> None:
        threading.Thread(target=self._run, args=(intake,), daemon=True, name=self.name).start()

    def close(self) -> None:
        """The thread sees the closed intake and closes its files."""

    def _run(self, intake: Intake) -> None:
        readers = (self._events(name, stream, intake) for name, stream in self._streams)
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
        for _, stream in self._streams:
            stream.close()
        intake.end(self.name)

    def _events(self, name: str, stream: BinaryIO, intake: Intake) -> Iterator[Event]:
        reader = LineReader(name, self._calendar)
        for number, line in enumerate(stream, 1):
            found = reader.read(number, line)
            if isinstance(found, Diagnostic):
                intake.put([], (found,))
            else:
                yield from found


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
