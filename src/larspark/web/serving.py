"""A page on a port: in the foreground, or in a thread beside an engine."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from secrets import token_urlsafe

import uvicorn

from larspark.diagnostics import Rejected
from larspark.read.live.ports import PortTaken
from larspark.web.following import LiveFollowing
from larspark.web.guard import Door
from larspark.web.server import Permissions, application

TALLY = 0.5
"""Seconds between two times that the marks are brought up to date."""


def is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def door_at(host: str, port: int, token: str | None) -> tuple[Door, socket.socket]:
    """The port is taken at once, so that its number is known; other addresses than the loopback one want a token."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, reuse_port=False)
    except OSError as error:
        raise Rejected([PortTaken(port, error).diagnostic]) from error
    found = token or (None if is_loopback(host) else token_urlsafe(18))
    return Door(host, int(listening.getsockname()[1]), found), listening


def address(door: Door) -> str:
    name = f"[{door.host}]" if ":" in door.host else door.host
    return f"http://{name}:{door.port}/" + (f"?token={door.token}" if door.token else "")


def server_of(followed: LiveFollowing, door: Door, permissions: Permissions) -> uvicorn.Server:
    config = uvicorn.Config(
        application(followed, door, permissions),
        log_level="critical",
        lifespan="off",
        ws="none",
        access_log=False,
        timeout_graceful_shutdown=1,
    )
    return uvicorn.Server(config)


@contextmanager
def tallying(followed: LiveFollowing) -> Iterator[None]:
    """Marks are brought up to date beside the engine, so that a page can open at any time."""
    stop = threading.Event()

    def work() -> None:
        while not stop.wait(TALLY):
            followed.tally()

    thread = threading.Thread(target=work, daemon=True, name="larspark-tally")
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def serve(followed: LiveFollowing, door: Door, listening: socket.socket, permissions: Permissions) -> None:
    """Until Ctrl-C."""
    with tallying(followed):
        server_of(followed, door, permissions).run(sockets=[listening])


@contextmanager
def beside(
    followed: LiveFollowing, door: Door, listening: socket.socket, permissions: Permissions | None = None
) -> Iterator[None]:
    """As long as the engine in the foreground runs."""
    server = server_of(followed, door, permissions or Permissions())
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True, name="larspark-page")
    thread.start()
    try:
        with tallying(followed):
            yield
    finally:
        server.should_exit = True
        thread.join(timeout=3)
