"""The tick engine under load: atoms through a real socket at a steady rate, into a process of its own."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from larspark.bench.measuring.figures import Experiment, Figure

RATE = 10_000
"""Atoms per second."""
PACKETS = 100
"""Per second: as many writes to the socket."""
BACKLOG = 1.0
"""Seconds after the last atom within which the last output is to be out, the end of the process included."""

PROGRAM = "q(A,B) :- p(A,B) [20]."


@dataclass(frozen=True)
class SocketLoad:
    """What is sent, and what the engine is asked to write about it."""

    what: str
    distinct: int | None
    """How many different atoms come again and again; None: all are new."""
    options: tuple[str, ...]


LOADS = (
    SocketLoad("300 atoms again and again, model on every change", 300, ("-e", "change")),
    SocketLoad("new atoms, model at every time point", None, ("-e", "time")),
    SocketLoad("new atoms, changes on every change", None, ("-e", "change", "--print", "changes")),
    SocketLoad("new atoms, model on every change", None, ("-e", "change")),
)


def _measure(quick: bool) -> Iterator[Figure]:
    seconds = 0.5 if quick else 5.0
    _run(LOADS[0], 1 / PACKETS)  # compiled code is cached before anything counts
    for load in LOADS:
        sent, backlog, summary = _run(load, seconds)
        details = {"sent": sent, "rate": RATE, "options": list(load.options), **summary}
        yield Figure(f"atoms used / sent, {load.what}", summary["used"] / sent, "", 1, at_least=True, details=details)
        yield Figure(f"backlog after {seconds:g} s, {load.what}", round(backlog, 2), "s", BACKLOG, details=details)


def _run(load: SocketLoad, seconds: float) -> tuple[int, float, dict[str, Any]]:
    """How many atoms were sent, how long the engine was busy with them afterwards, and its own account."""
    with TemporaryDirectory() as folder:
        program, port = Path(folder, "diamond.lars"), _free_port()
        program.write_text(PROGRAM, encoding="utf-8")
        command = [sys.executable, "-m", "larspark", "tick", "-p", str(program), "-r", "interval", "--format", "json"]
        command += ["-i", f"socket:{port}", "--once", "--time", "wall", *load.options]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
            with closing(_connected(port, process)) as client:
                sent = _send(client, load, int(RATE * seconds))
            ended = time.monotonic()
            _, account = process.communicate()
    return sent, time.monotonic() - ended, json.loads(account)


def _send(client: socket.socket, load: SocketLoad, count: int) -> int:
    started, packet = time.monotonic(), RATE // PACKETS
    for first in range(0, count, packet):
        numbers = (n % (load.distinct or count) for n in range(first, first + packet))
        client.sendall("".join(f"p({n},{n})\n" for n in numbers).encode())
        time.sleep(max(0.0, started + (first + packet) / RATE - time.monotonic()))
    return count


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _connected(port: int, process: subprocess.Popen[str]) -> socket.socket:
    """A connection as soon as the engine listens."""
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port))
        except ConnectionRefusedError:
            if process.poll() is not None:
                raise
            time.sleep(0.05)


EXPERIMENTS = (
    Experiment("live", "10,000 atoms per second through a socket into `larspark tick`", _measure, seconds=30),
)
