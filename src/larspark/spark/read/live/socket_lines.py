"""JSON lines over TCP: from a server that we call, or from any number of clients that call us.

TCP knows no receipts. What the journal has is safe; what was under way when the process or the connection broke down is
lost, unless the sender sends it again.
"""

from __future__ import annotations

import socket
from collections.abc import Callable

from larspark.spark.read.live.journal import JournalEntry
from larspark.spark.read.live.receiving import Receiver, line_of, pause_before

CHUNK = 1 << 16
LONGEST_LINE = 1 << 20
"""Bytes after which a line without an end is taken as it is, and refused as a record."""
TICK = 0.5
"""Seconds after which a waiting thread looks whether it has been stopped."""


class SocketCaller(Receiver):
    """Calls a server, and calls again when the connection is lost."""

    _done = False

    @property
    def ended(self) -> bool:
        return self._done

    def start(self) -> None:
        try:
            connection: socket.socket | None = self._call()
        except ConnectionError:
            if not self.going_on:
                raise
            connection = None
        self.in_thread(lambda: self._go_on(connection))

    def _call(self) -> socket.socket:
        try:
            return socket.create_connection((self.address.host, self.address.port), timeout=10)
        except OSError as error:
            raise ConnectionError(f"{self.address} does not answer: {error}") from error

    def _go_on(self, connection: socket.socket | None) -> None:
        while not self.stopping.is_set():
            if connection is not None:
                receive(connection, self.keep, self.stopping.is_set)
            self._done = True
            connection = self._call_again()
            self._done = connection is None

    def _call_again(self) -> socket.socket | None:
        """The next connection, or none when we have been stopped."""
        attempt = 0
        while not self.stopping.wait(pause_before(attempt)):
            try:
                return self._call()
            except ConnectionError as error:
                if attempt == 0:
                    self.tell(f"is gone, trying again: {error}")
                attempt += 1
        return None


class SocketListener(Receiver):
    """Takes lines from all clients that call; their order is that of arrival."""

    def start(self) -> None:
        try:
            server = socket.create_server((self.address.host, self.address.port))
        except OSError as error:
            raise ConnectionError(f"{self.address} cannot be opened: {error}") from error
        server.settimeout(TICK)
        self.in_thread(lambda: self._answer(server))

    def _answer(self, server: socket.socket) -> None:
        with server:
            while not self.stopping.is_set():
                try:
                    connection, _ = server.accept()
                except TimeoutError:
                    continue
                self.in_thread(lambda taken=connection: self._serve(taken))  # type: ignore[misc]

    def _serve(self, connection: socket.socket) -> None:
        receive(connection, self.keep, self.stopping.is_set)


def receive(
    connection: socket.socket, keep: Callable[[list[JournalEntry]], None], stopping: Callable[[], bool]
) -> None:
    """Pass on whole lines until the connection ends; a last line without an end counts, too."""
    rest = b""
    with connection:
        connection.settimeout(TICK)
        while not stopping():
            try:
                chunk = connection.recv(CHUNK)
            except TimeoutError:
                continue
            except OSError:
                chunk = b""  # the connection is lost
            *lines, rest = (rest + chunk).split(b"\n")
            if not chunk or len(rest) > LONGEST_LINE:
                lines, rest = [*lines, rest], b""
            keep([JournalEntry(line_of(line)) for line in lines if line.strip()])
            if not chunk:
                return
