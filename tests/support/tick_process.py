"""`larspark tick` as a process of its own, with its standard streams and sockets."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

LARSPARK = [sys.executable, "-c", "import sys; from larspark.cli.main import main; sys.exit(main())"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")}


def _command(program: Path, options: tuple[str, ...], reasoner: str) -> list[str]:
    return [*LARSPARK, "tick", "-p", str(program), "-r", reasoner, *options]


def run(
    program: Path, *options: str, lines: str = "", reasoner: str = "incremental"
) -> subprocess.CompletedProcess[str]:
    """A run over these lines, to its end."""
    return subprocess.run(
        _command(program, options, reasoner),
        input=lines,
        text=True,
        capture_output=True,
        timeout=60,
        env=ENVIRONMENT,
        check=False,
    )


@contextmanager
def running(program: Path, *options: str, reasoner: str = "incremental") -> Iterator[subprocess.Popen[str]]:
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(_command(program, options, reasoner), text=True, env=ENVIRONMENT, **pipes)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def connect(port: int, receive_buffer: int | None = None) -> socket.socket:
    """A client, as soon as the port is open."""
    for _ in range(300):
        client = socket.socket()
        client.settimeout(30)
        if receive_buffer is not None:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        try:
            client.connect(("127.0.0.1", port))
        except ConnectionRefusedError:
            client.close()
            time.sleep(0.1)
        else:
            return client
    raise TimeoutError


def send(port: int, text: str) -> None:
    with connect(port) as client:
        client.sendall(text.encode())


def primed(writer: socket.socket, reader: socket.socket) -> bytes:
    """Signals until the reader hears of one: from then on the engine knows it."""
    reader.settimeout(0.2)
    while True:
        writer.sendall(b"@0 pad(0)\n")
        try:
            heard = reader.recv(1 << 16)
        except TimeoutError:
            continue
        reader.settimeout(30)
        return heard
