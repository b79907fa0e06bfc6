"""The live page: its files, its picture, its events, and the requests that it makes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from larspark.diagnostics import Diagnostic, Rejected
from larspark.diagnostics.render import as_json
from larspark.language.facts import Fact
from larspark.language.parser import parse_fact, parse_program
from larspark.web.following import LiveFollowing
from larspark.web.guard import AccessGuard, Application, Door
from larspark.web.live import Live
from larspark.web.log import read_tick, texts
from larspark.web.module import script, style

STREAMS = 16
"""Pages that may be open at once."""
FRAME = 1 / 30
"""Seconds between two looks at the log; what happened in between is sent at once."""
BATCH = 2_000
"""Events of one sending; a page that cannot follow gets them later, or begins anew."""
STATES = 0.2
"""Seconds between two tellings of the state, at least."""
HEARTBEAT = 15.0

INDEX = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>larspark</title><link rel="stylesheet" href="style.css"><link rel="icon" href="data:,">
<body class="larspark"><script type="module" src="start.js"></script></body></html>
"""
START = """import { mount } from "./larspark.js";
const picture = await (await fetch("picture")).json();
document.title = `${picture.title} · larspark`;
mount(document.body, picture);
"""

Act = Callable[[dict[str, Any]], dict[str, Any]]


@dataclass(frozen=True)
class Permissions:
    edit: bool = False


class Pages:
    """The routes over what is followed."""

    def __init__(self, followed: LiveFollowing, permissions: Permissions) -> None:
        self._followed, self._permissions = followed, permissions
        self._open = 0

    @property
    def can(self) -> dict[str, bool]:
        control = isinstance(self._followed, Live)
        answers = self._followed.answers
        return {"ask": answers, "foresee": answers, "control": control, "edit": control and self._permissions.edit}

    def routes(self) -> list[Route]:
        text = {"index": (INDEX, "text/html"), "start.js": (START, "text/javascript")}
        text |= {"larspark.js": (script(), "text/javascript"), "style.css": (style(), "text/css")}
        found = [_file("/" if name == "index" else f"/{name}", *content) for name, content in text.items()]
        found += [Route("/picture", self._picture), Route("/events", self._events)]
        found += [Route(f"/{name}", _post(act), methods=["POST"]) for name, act in self._acts().items()]
        return found

    async def _picture(self, _request: Request) -> Response:
        return JSONResponse(await run_in_threadpool(self._followed.picture, self.can))

    # -- events ------------------------------------------------------------------------------------

    async def _events(self, request: Request) -> Response:
        if self._open >= STREAMS:
            return JSONResponse({"message": f"{STREAMS} pages are open already."}, 503)
        known = request.headers.get("last-event-id") or request.query_params.get("after", "")
        run = request.query_params.get("run")
        return StreamingResponse(self._told(known, run), media_type="text/event-stream")

    async def _told(self, known: str, run: str | None) -> AsyncIterator[bytes]:
        """Everything after an event, as it happens; whoever cannot be served so is told to begin anew."""
        self._open += 1
        try:
            followed, log = self._followed, self._followed.log
            place = log.place_after(read_tick(known)) if run in (None, log.run) else None
            version, quiet = -1, STATES
            yield b"retry: 1000\n\n"
            while place is not None and followed.log is log:
                if followed.unsettled:
                    await run_in_threadpool(followed.settle)
                found = log.since(place, BATCH)
                if found is None:
                    break
                events, place = found
                if events:
                    yield await run_in_threadpool(texts, events)
                if followed.version != version and quiet >= STATES:
                    version = followed.version
                    yield f"event: state\ndata: {json.dumps(followed.state())}\n\n".encode()
                    quiet = 0.0
                await asyncio.sleep(FRAME)
                quiet += FRAME
                if quiet > HEARTBEAT:
                    yield b": still here\n\n"
                    quiet = 0.0
            yield b"event: reset\ndata: {}\n\n"
        finally:
            self._open -= 1

    # -- requests ----------------------------------------------------------------------------------

    def _acts(self) -> dict[str, Act]:
        followed = self._followed
        if not followed.answers:
            return {}
        found: dict[str, Act] = {
            "why": lambda body: followed.asked().why(_text(body, "atom"), _time(body, "at")),
            "why-not": lambda body: followed.asked().why_not(_text(body, "atom"), _time(body, "at")),
            "what-if": lambda body: followed.asked().what_if(_texts(body, "add"), _texts(body, "drop")),
            "foresee": lambda body: followed.asked().foresee(_text(body, "goal"), min(_time(body, "horizon"), 1000)),
            "counts": lambda _body: followed.asked().counts(),
        }
        if isinstance(followed, Live):
            found |= self._controls(followed)
            found |= self._edits(followed)
        return found

    @staticmethod
    def _controls(live: Live) -> dict[str, Act]:
        return {
            "step": lambda _body: live.step(),
            "advance": lambda body: live.advance(_time(body, "time")),
            "send": lambda body: live.send(_facts(_text(body, "atoms")), _optional(body, "time", int)),
            "play": lambda body: live.play(_optional(body, "speed", float)),
            "pause": lambda _body: live.pause(),
            "back": lambda body: live.back(_time(body, "time")),
        }

    def _edits(self, live: Live) -> dict[str, Act]:
        def allowed(act: Act) -> Act:
            def checked(body: dict[str, Any]) -> dict[str, Any]:
                if not self._permissions.edit:
                    message = "The rules may not be changed from the page."
                    raise Rejected([Diagnostic("E711", message, "Start with --allow-edit.")])
                return act(body)

            return checked

        return {
            "check": allowed(lambda body: _checked(live, _text(body, "text"))),
            "preview": allowed(lambda body: live.asked().preview(_text(body, "text"), live.name)),
            "apply": allowed(lambda body: live.apply(_text(body, "text"))),
        }


def application(followed: LiveFollowing, door: Door, permissions: Permissions | None = None) -> Application:
    """The whole page, guarded."""
    return AccessGuard(Starlette(routes=Pages(followed, permissions or Permissions()).routes()), door)


def _file(path: str, content: str, kind: str) -> Route:
    async def given(_request: Request) -> Response:
        return Response(content, media_type=kind)

    return Route(path, given)


def _post(act: Act) -> Callable[[Request], Awaitable[Response]]:
    async def asked(request: Request) -> Response:
        try:
            body = json.loads(await request.body() or b"{}")
        except (ValueError, ClientDisconnect):
            return JSONResponse({"message": "The request is no JSON, or too long."}, 400)
        if not isinstance(body, dict):
            return JSONResponse({"message": "A request is a JSON object."}, 400)
        try:
            return JSONResponse(await run_in_threadpool(act, body))
        except Rejected as rejected:
            return JSONResponse({"diagnostics": [_finding(one) for one in rejected.diagnostics]}, 422)

    return asked


def _finding(one: Diagnostic) -> dict[str, Any]:
    end = {} if one.origin is None else {"end_line": one.origin.end_line, "end_column": one.origin.end_column}
    return {**as_json(one), **end}


def _checked(live: Live, text: str) -> dict[str, Any]:
    """All that is wrong with a text, errors and warnings; none of it is an error of the request."""
    try:
        findings = live.prepared.with_program(parse_program(text, live.name)).findings.diagnostics
    except Rejected as rejected:
        findings = rejected.diagnostics
    return {"diagnostics": [_finding(one) for one in findings]}


# -- what requests say -----------------------------------------------------------------------------


def _wrong(name: str, wanted: str) -> Rejected:
    return Rejected([Diagnostic("E712", f"`{name}` is {wanted}.", "The requests are listed in docs/page.md.")])


def _text(body: dict[str, Any], name: str) -> str:
    if not isinstance(value := body.get(name), str):
        raise _wrong(name, "a text")
    return value


def _texts(body: dict[str, Any], name: str) -> list[str]:
    value = body.get(name, [])
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise _wrong(name, "a list of texts")
    return value


def _time(body: dict[str, Any], name: str) -> int:
    value = body.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise _wrong(name, "a natural number")
    return value


def _optional(body: dict[str, Any], name: str, kind: type) -> Any:
    value = body.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0 or (kind is float and value == 0):
        raise _wrong(name, "a number, or nothing")
    if kind is int and int(value) != value:
        raise _wrong(name, "a natural number")
    return kind(value)


def _facts(text: str) -> list[Fact]:
    parts = [part.strip() for part in text.split(";") if part.strip()]
    if not parts:
        raise _wrong("atoms", "one atom or several, with `;` between them")
    return [parse_fact(part.removesuffix(".")) for part in parts]
