"""Lines over TCP: from a server that we call, or from any number of clients that call us.

TCP knows no receipts. What has been kept is safe; what was under way when the process or the connection broke down is
lost, unless the sender sends it again.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Mapping

from larspark.read.formats.text_lines import LONGEST
from larspark.read.live.addresses import Address
from larspark.read.live.ports import open_port
from larspark.read.live.receiving import LOG, Keeper, ReceivedLines, Receiver, pause_before

CHUNK = 1 << 18
MOST_CLIENTS = 256
"""Clients at the same time, each with a thread; others are turned away, and may call again."""
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
            if not self.keeper.going_on:
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
            if self.once:
                self.keeper.over()
                return
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
    """Takes lines from all clients that call; a client that leaves may come back, or another one."""

    def __init__(self, address: Address, options: Mapping[str, str], keeper: Keeper) -> None:
        """The port is open from now on; `PortTaken` when it cannot be."""
        super().__init__(address, options, keeper)
        self._server = open_port(address.host, address.port)
        self.port: int = self._server.getsockname()[1]
        self._clients = 0
        self._lock = threading.Lock()

    def start(self) -> None:
        self._server.settimeout(TICK)
        self.in_thread(self._answer)

    def stop(self) -> None:
        super().stop()
        self._server.close()

    def _answer(self) -> None:
        number = 0
        while not self.stopping.is_set():
            try:
                connection, _ = self._server.accept()
            except TimeoutError:
                continue
            except OSError:  # closed
                return
            if self._clients >= MOST_CLIENTS:
                connection.close()
                self.tell(f"has {MOST_CLIENTS} clients, and turns others away")
                continue
            number += 1
            with self._lock:
                self._clients += 1
            sender = "" if number == 1 else f"#{number}"
            self.in_thread(lambda taken=connection, name=sender: self._serve(taken, name))  # type: ignore[misc]

    def _serve(self, connection: socket.socket, sender: str) -> None:
        LOG.debug("%s%s: a client connected", self.address, sender)
        try:
            receive(connection, lambda received: self.keep(received, sender), self.stopping.is_set)
        finally:
            LOG.debug("%s%s: the client left", self.address, sender)
            with self._lock:
                self._clients -= 1
                last = self.once and not self._clients
            if last:
                self._server.close()
                self.keeper.over()


def receive(
    connection: socket.socket, keep: Callable[[list[ReceivedLines]], None], stopping: Callable[[], bool]
) -> None:
    """Pass on whole lines until the connection ends; a last line without an end counts, too.

    Of a line that is too long a beginning is kept, which is refused as a record.
    """
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
            if not chunk:
                keep([ReceivedLines(rest)] if rest else [])
                return
            content, cut, rest = (rest + chunk).rpartition(b"\n")
            rest = rest[: LONGEST + 1]
            keep([ReceivedLines(content)] if cut else [])
