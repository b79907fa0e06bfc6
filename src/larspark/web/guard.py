"""Who may ask: the right host name, the same origin, the token if there is one, and no more than so much at once."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

LARGEST = 1 << 20
"""Bytes of a request."""
COOKIE = "larspark-token"

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


@dataclass(frozen=True)
class Door:
    """Where the server listens, and what it asks for."""

    host: str
    port: int
    token: str | None = None

    @property
    def hosts(self) -> frozenset[str]:
        """What requests may call this server; another name means that a foreign page was pointed here."""
        names = {"localhost", "127.0.0.1", "[::1]", f"[{self.host}]" if ":" in self.host else self.host}
        return frozenset(f"{name}:{self.port}" for name in names)


class AccessGuard:
    """In front of the application, so that no route can forget it."""

    def __init__(self, application: Application, door: Door) -> None:
        self._application, self._door = application, door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        refused = self._objection(scope, headers)
        if refused is not None:
            await _answer(send, *refused)
            return
        if self._door.token is not None and _query_token(scope) is not None:
            await _enter(scope, send, self._door.token)
            return
        await self._application(scope, _bounded(receive), _with_headers(send))

    def _objection(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        door = self._door
        host = headers.get("host", "").lower()
        named = host in door.hosts or (door.token is not None and host.endswith(f":{door.port}"))
        if not named:
            return 421, "This server is not called so."
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != host:
            return 403, "Requests of other sites are refused."
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return 403, "Requests of other sites are refused."
        if door.token is not None and not self._known(scope, headers, door.token):
            return 401, "The token is missing or wrong; the address with the token was printed at the start."
        if scope["method"] == "POST" and headers.get("content-type", "").split(";")[0] != "application/json":
            return 415, "Requests are JSON."
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > LARGEST:
            return 413, f"A request has at most {LARGEST} bytes."
        return None

    @staticmethod
    def _known(scope: Scope, headers: dict[str, str], token: str) -> bool:
        given = [_query_token(scope), headers.get("authorization", "").removeprefix("Bearer ")]
        try:
            cookies = SimpleCookie(headers.get("cookie", ""))
            given.append(cookies[COOKIE].value if COOKIE in cookies else None)
        except CookieError:
            pass
        return any(compare_digest(one.encode(), token.encode()) for one in given if one)


def _query_token(scope: Scope) -> str | None:
    found = parse_qs(scope["query_string"].decode("latin-1")).get("token")
    return found[0] if found else None


async def _enter(scope: Scope, send: Send, token: str) -> None:
    """The token goes from the address into a cookie that other sites cannot use and scripts cannot read."""
    rest = {name: value for name, value in parse_qs(scope["query_string"].decode("latin-1")).items() if name != "token"}
    place = scope["path"] + (f"?{urlencode(rest, doseq=True)}" if rest else "")
    cookie = f"{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict"
    await _answer(send, 303, "", {"location": place, "set-cookie": cookie})


async def _answer(send: Send, status: int, message: str, more: dict[str, str] | None = None) -> None:
    body = json.dumps({"message": message}).encode() if message else b""
    headers = {"content-type": "application/json", **HEADERS, **(more or {})}
    encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": body})


def _bounded(receive: Receive) -> Receive:
    """A body without a length ends where it becomes too long."""
    taken = 0

    async def bounded() -> Message:
        nonlocal taken
        message = await receive()
        if message["type"] == "http.request":
            taken += len(message.get("body", b""))
            if taken > LARGEST:
                return {"type": "http.disconnect"}
        return message

    return bounded


def _with_headers(send: Send) -> Send:
    own = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", []), *own]
        await send(message)

    return sending
