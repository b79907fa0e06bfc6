"""Listening on a port, with a clear word when that is not possible."""

from __future__ import annotations

import errno
import socket

from larspark.diagnostics import Diagnostic, Rejected


class PortTaken(ConnectionError):
    """A port cannot be opened."""

    def __init__(self, port: int, error: OSError) -> None:
        super().__init__(f"port {port} cannot be opened: {error}")
        if error.errno == errno.EADDRINUSE:
            message, hint = f"Port {port} is in use.", "Choose another port, or end the program that listens there."
        else:
            message, hint = f"Port {port} cannot be opened: {error.strerror}.", "Choose a port above 1024."
        self.diagnostic = Diagnostic("E702", message, hint)


def open_port(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes any free one. `PortTaken` when that is not possible."""
    server = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        server.bind((host, port))
        server.listen()
    except OSError as error:
        server.close()
        raise PortTaken(port, error) from error
    return server


def listen(host: str, port: int) -> socket.socket:
    """The same for whoever answers to a person: `Rejected` when it is not possible."""
    try:
        return open_port(host, port)
    except PortTaken as taken:
        raise Rejected([taken.diagnostic]) from taken
