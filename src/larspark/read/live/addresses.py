"""Addresses of live sources: `socket://host:port`, `listen://host:port`, `mqtt://user:password@host:port/topic`."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from larspark.diagnostics import Diagnostic, Rejected

PORTS = {"socket": None, "listen": None, "mqtt": 1883, "mqtts": 8883}
"""The live sources and their usual ports."""


@dataclass(frozen=True)
class Address:
    """Where a live source is. Printed without the password."""

    scheme: str
    host: str
    port: int
    topic: str = ""
    user: str | None = None
    password: str | None = None

    def __str__(self) -> str:
        return f"{self.scheme}://{self.host}:{self.port}" + (f"/{self.topic}" if self.topic else "")


def is_live(path: str) -> bool:
    return path.partition("://")[0] in PORTS and "://" in path


def read_address(text: str) -> Address:
    """The parts of an address; `Rejected` when one is missing."""
    scheme = text.partition("://")[0]
    try:
        # `#` is a wildcard of topics, not the fragment of a web address
        parts = urlsplit(text.replace("#", "%23"))
        port = parts.port or PORTS[scheme]
    except ValueError as error:
        raise _wrong(text, "its port is not a number between 1 and 65535") from error
    host = parts.hostname or ("127.0.0.1" if scheme == "listen" else "")
    topic = unquote(parts.path.removeprefix("/"))
    if not host:
        raise _wrong(text, "it names no host")
    if port is None:
        raise _wrong(text, "it names no port")
    if scheme.startswith("mqtt") and not topic:
        raise _wrong(text, "it names no topic")
    if not scheme.startswith("mqtt") and topic:
        raise _wrong(text, "a socket has no path")
    user, password = (None if part is None else unquote(part) for part in (parts.username, parts.password))
    return Address(scheme, host, port, topic, user, password)


def _wrong(text: str, reason: str) -> Rejected:
    hint = "Write `socket://host:port`, `listen://:port` or `mqtt://host:port/topic`."
    return Rejected([Diagnostic("E607", f"`{text}` is no address of a source: {reason}.", hint)])
