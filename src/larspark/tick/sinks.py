"""Sinks: standard output, files, and sockets; each consumer has a bounded buffer and a writer of its own."""

from __future__ import annotations

import socket
import threading
from collections import deque
from collections.abc import Callable
from enum import StrEnum
from typing import BinaryIO, Protocol

from larspark.read.live.ports import listen
from larspark.tick.clock import ATTENTION


class Slow(StrEnum):
    """What a consumer that is too slow leads to."""

    DROP = "drop"
    """The oldest waiting lines are dropped, and counted."""
    WAIT = "wait"
    """Reasoning waits."""


class Sink(Protocol):
    def write(self, *lines: bytes) -> None:
        """Lines with their ends."""
        ...

    def close(self) -> None:
        """Write what is waiting, then end."""
        ...

    def abandon(self) -> None:
        """Wait for no consumer any longer; takes no lock, so that a signal handler may call it."""
        ...

    @property
    def dropped(self) -> int: ...

    @property
    def gone(self) -> bool:
        """Will nobody ever read from it again?"""
        ...


WAITING_BYTES = 1 << 26
"""A buffer is full with so many bytes, too, however few lines they are: a model can be large."""


class Consumer:
    """A buffer of lines with a thread that hands them on; `send` raises OSError when the consumer is gone."""

    def __init__(self, send: Callable[[bytes], None], capacity: int, slow: Slow) -> None:
        self._send = send
        self._capacity = capacity
        self._slow = slow
        self._lines: deque[bytes] = deque()
        self._bytes = 0
        self._changed = threading.Condition()
        self._ending = False
        self.gone = False
        self.abandoned = False
        self.dropped = 0
        """Lines it was too slow for."""
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def write(self, *lines: bytes) -> None:
        with self._changed:
            for line in lines:
                self._make_room()
                if self.gone:
                    return
                self._lines.append(line)
                self._bytes += len(line)
            self._changed.notify_all()

    def _make_room(self) -> None:
        while self._full and not self.gone:
            if self._slow is Slow.DROP or self.abandoned:
                self._bytes -= len(self._lines.popleft())
                self.dropped += 1
            else:
                self._changed.notify_all()
                self._changed.wait(ATTENTION)

    @property
    def _full(self) -> bool:
        return len(self._lines) >= self._capacity or self._bytes >= WAITING_BYTES

    def close(self, patience: float) -> None:
        """End after the waiting lines, or when patience is over; what is left then counts as dropped."""
        with self._changed:
            self._ending = True
            self._changed.notify_all()
        self._thread.join(ATTENTION if self.abandoned else patience)
        with self._changed:
            self.dropped += len(self._lines)
            self._lines.clear()
            self.gone = True

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._lines and not self._ending:
                    self._changed.wait()
                if not self._lines:
                    return
                batch = b"".join(self._lines)
                self._lines.clear()
                self._bytes = 0
                self._changed.notify_all()
            try:
                self._send(batch)
            except (OSError, ValueError):  # the consumer closed its end: it left, it was not slow
                with self._changed:
                    self.gone = True
                    self._lines.clear()
                    self._changed.notify_all()
                return


PATIENCE = 5.0
"""Seconds that a sink may take to write its last lines."""


class StreamSink:
    """An open binary stream: standard output, or a file."""

    def __init__(self, stream: BinaryIO, capacity: int, slow: Slow, *, owned: bool = False) -> None:
        self._stream = stream
        self._owned = owned
        self._consumer = Consumer(self._send, capacity, slow)

    def write(self, *lines: bytes) -> None:
        self._consumer.write(*lines)

    def close(self) -> None:
        self._consumer.close(PATIENCE)
        if self._owned:
            self._stream.close()

    def abandon(self) -> None:
        self._consumer.abandoned = True

    @property
    def dropped(self) -> int:
        return self._consumer.dropped

    @property
    def gone(self) -> bool:
        return self._consumer.gone

    def _send(self, data: bytes) -> None:
        self._stream.write(data)
        self._stream.flush()


class SocketSink:
    """A port whose clients all get every line from when they connect; a slow one holds up no other."""

    def __init__(self, host: str, port: int, capacity: int, slow: Slow) -> None:
        self._server = listen(host, port)
        self.port = self._server.getsockname()[1]
        self._capacity, self._slow = capacity, slow
        self._clients: list[tuple[socket.socket, Consumer]] = []
        self._lock = threading.Lock()
        self._dropped = 0
        threading.Thread(target=self._accept, daemon=True, name=f"sink:{self.port}").start()

    def write(self, *lines: bytes) -> None:
        with self._lock:
            clients = list(self._clients)
        for client in clients:
            client[1].write(*lines)
            if client[1].gone:
                self._leave(client)

    def close(self) -> None:
        self._server.close()
        with self._lock:
            clients = list(self._clients)
        for client in clients:
            client[1].close(PATIENCE)
            self._leave(client)

    def abandon(self) -> None:
        for _, consumer in list(self._clients):
            consumer.abandoned = True

    @property
    def dropped(self) -> int:
        with self._lock:
            return self._dropped + sum(consumer.dropped for _, consumer in self._clients)

    @property
    def gone(self) -> bool:
        return False

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:  # closed
                return
            with self._lock:
                self._clients.append((client, Consumer(client.sendall, self._capacity, self._slow)))

    def _leave(self, client: tuple[socket.socket, Consumer]) -> None:
        with self._lock:
            if client in self._clients:
                self._clients.remove(client)
                self._dropped += client[1].dropped
        client[0].close()
