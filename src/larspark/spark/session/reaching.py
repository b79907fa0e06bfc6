"""Whether somebody answers at the address of a master, asked before Spark tries for minutes."""

from __future__ import annotations

import re
import socket

from larspark.diagnostics import Diagnostic, Rejected

PATIENCE = 5.0
"""Seconds for an answer."""
_ADDRESS = re.compile(r"(?:spark|sc)://(.*?)(?:[/;].*)?$")
_PORTS = {"spark": 7077, "sc": 15002}


def require_answer(master: str) -> None:
    """`Rejected` when the master is elsewhere, and nobody answers there; of several, one is enough."""
    found = _ADDRESS.match(master)
    if found is None:
        return
    usual, reasons = _PORTS[master.partition(":")[0]], list[str]()
    for address in found[1].split(","):
        host, _, port = address.rpartition(":") if ":" in address else (address, "", str(usual))
        try:
            socket.create_connection((host, int(port)), PATIENCE).close()
        except (OSError, ValueError) as error:
            reasons.append(f"{host}:{port} ({getattr(error, 'strerror', None) or error})")
        else:
            return
    message = f"No Spark master answers at {', '.join(reasons)}."
    hint = "Start it, or correct `--master`; without it Spark runs on this machine."
    raise Rejected([Diagnostic("E602", message, hint)])
