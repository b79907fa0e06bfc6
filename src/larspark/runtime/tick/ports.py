"""Listening on a port, with a clear word when that is not possible."""

from __future__ import annotations

import errno
import socket

from larspark.diagnostics import Diagnostic, Rejected


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes any free one."""
    server = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        server.bind((host, port))
        server.listen()
    except OSError as error:
        server.close()
        if error.errno == errno.EADDRINUSE:
            message, hint = f"Port {port} is in use.", "Choose another port, or end the program that listens there."
        else:
            message, hint = f"Port {port} cannot be opened: {error.strerror}.", "Choose a port above 1024."
        raise Rejected([Diagnostic("E702", message, hint)]) from error
    return server
