"""Requests to the live page: what they give, and who is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from typing import Any

import pytest

from larspark.explain.evaluations.history import Sourced
from larspark.language.facts import Fact
from larspark.runtime.prepared import prepare
from larspark.web.live import Live, PlayedInput
from larspark.web.server import STREAMS, Permissions
from larspark.web.serving import address, beside, door_at, is_loopback

PROGRAM = "alarm(M) :- always hot(M) [2], not technician(_) [2]."


class Client:
    def __init__(self, port: int, live: Live) -> None:
        self.port, self.live = port, live

    def ask(self, path: str, body: Any = None, **headers: str) -> tuple[int, Any, dict[str, str]]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=10)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is None:
            connection.request("GET", path, headers=given)
        else:
            content = body if isinstance(body, bytes) else json.dumps(body)
            connection.request("POST", path, content, {"content-type": "application/json", **given})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        kind = answer.getheader("content-type", "")
        found = json.loads(text) if text and kind.startswith("application/json") else text
        return answer.status, found, {name.lower(): value for name, value in answer.getheaders()}

    def events(self, path: str = "/events", **headers: str) -> Iterator[dict[str, str]]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        assert answer.status == 200
        event: dict[str, str] = {}
        try:
            while line := answer.readline().decode().rstrip("\n") or event is not None:
                if line is True:
                    if event.get("data"):
                        yield event
                    event = {}
                else:
                    name, _, value = line.partition(": ")
                    event[name] = value
        finally:
            connection.close()


@contextmanager
def served(token: str | None = None, edit: bool = False) -> Iterator[Client]:
    arrivals = tuple(Sourced(time, Fact("hot", ("press",))) for time in range(4))
    live = Live(prepare(PROGRAM), None, "interval", PlayedInput(arrivals), history=1000)
    door, listening = door_at("127.0.0.1", 0, token)
    with beside(live, door, listening, Permissions(edit=edit)):
        yield Client(door.port, live)


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with served() as found:
        found.live.load()
        yield found


def test_events_go_on_where_a_reader_stopped():
    with served() as client:
        for _ in range(4):
            assert client.ask("/step", {})[0] == 200
        told = client.events()
        seen = [event for event in (next(told) for _ in range(5)) if "id" in event]
        assert [event["id"] for event in seen] == ["0", "1", "2", "3"]
        assert json.loads(seen[0]["data"]) == {
            "time": 0,
            "arrived": [["hot(press)", "hot/1", 0]],
            "appeared": [["alarm(press)", "alarm/1"]],
        }
        client.ask("/send", {"atoms": "technician(ann)", "time": None})
        again = next(client.events(last_event_id="3"))
        assert again["id"] == "3.1"
        assert json.loads(again["data"])["disappeared"] == [["alarm(press)", "alarm/1"]]
        client.ask("/back", {"time": 1})
        last = next(event for event in told if event.get("event") == "reset")
        assert last
        other = next(client.events("/events?after=3&run=another"))
        assert other["event"] == "reset"


def test_questions_are_answered(client):
    status, found, _ = client.ask("/why", {"atom": "alarm(press)", "at": 3})
    assert (status, found["json"]["holds"]) == (200, True)
    status, found, _ = client.ask("/why-not", {"atom": "alarm(saw)", "at": 3})
    assert (status, found["json"]["holds"]) == (200, False)
    _, found, _ = client.ask("/what-if", {"add": ["@3 technician(ann)"]})
    assert [(one["sign"], one["atom"]) for one in found["differences"]] == [("-", "alarm(press)")]
    _, found, _ = client.ask("/foresee", {"goal": "alarm(X)", "horizon": 1})
    assert found["answers"][0]["text"].startswith("alarm(press) at 3: certain")
    (count,) = client.ask("/counts", {})[1]["counts"]
    assert (count["count"], count["last"], count["rows"]) == (1, 3, 4)


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("/why", {"atom": "alarm(press)", "at": 99}, "E411"),
        ("/why", {"atom": "alarm(press", "at": 3}, "E1"),
        ("/why", {"atom": "alarm(press)"}, "E712"),
        ("/send", {"atoms": "alarm(x)"}, "E409"),
        ("/send", {"atoms": "hot(x)", "time": 0}, "E405"),
        ("/play", {"speed": 0}, "E712"),
        ("/apply", {"text": "a :- b."}, "E711"),
        ("/check", {"text": "a :- b."}, "E711"),
    ],
)
def test_what_is_wrong_with_a_request_is_said(client, path, body, code):
    status, found, _ = client.ask(path, body)
    assert status == 422
    assert found["diagnostics"][0]["code"].startswith(code)


def test_other_sites_other_names_and_other_forms_are_refused(client):
    body = {"atoms": "hot(x)"}
    assert client.ask("/picture", host="evil.example")[0] == 421
    assert client.ask("/send", body, origin="http://evil.example")[0] == 403
    assert client.ask("/picture", sec_fetch_site="cross-site")[0] == 403
    assert client.ask("/send", body, content_type="text/plain")[0] == 415
    assert client.ask("/send", b"x" * (1 << 21))[0] == 413
    assert client.ask("/send", b"[]")[0] == 400
    assert client.ask("/send", b"{")[0] == 400
    assert client.ask("/send")[0] == 405
    headers = client.ask("/")[2]
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"


def test_a_token_is_asked_for_and_becomes_a_cookie():
    with served(token="secret") as client:
        assert client.ask("/picture")[0] == 401
        assert client.ask("/?token=wrong")[0] == 401
        status, _, headers = client.ask("/?token=secret")
        assert (status, headers["location"]) == (303, "/")
        assert "HttpOnly" in headers["set-cookie"]
        assert "SameSite=Strict" in headers["set-cookie"]
        assert client.ask("/picture", cookie=headers["set-cookie"].split(";")[0])[0] == 200
        assert client.ask("/picture", authorization="Bearer secret")[0] == 200


def test_addresses_of_others_want_a_token():
    assert [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "example.org")] == [
        True,
        True,
        True,
        False,
        False,
    ]
    door, listening = door_at("0.0.0.0", 0, None)
    listening.close()
    assert door.token
    assert door.token in address(door)


def test_so_many_pages_and_no_more(client):
    opened = [client.events() for _ in range(STREAMS)]
    for one in opened:
        next(one)
    assert client.ask("/events")[0] == 503
    for one in opened:
        one.close()


def test_all_that_is_wrong_with_a_text_is_found_while_it_is_typed():
    with served(edit=True) as client:
        status, found, _ = client.ask("/check", {"text": "alarm(X) :- hot(Y).\nb :- not c(Z)."})
        assert status == 200
        errors = [one for one in found["diagnostics"] if one["severity"] == "error"]
        assert {one["line"] for one in errors} == {1, 2}
        assert all(one["end_column"] > one["column"] for one in errors)


def test_who_may_edit_may_not_run_python(tmp_path):
    (tmp_path / "helpers.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\ndef twice(x): return 2 * x\n")
    rules = f'#function twice/1 from "{tmp_path}/helpers.py".\nalarm(Y) :- hot(X), Y = twice(X).'
    with served(edit=True) as client:
        before = client.ask("/why", {"atom": "alarm(press)", "at": 3})[1]
        for path in ("/preview", "/apply"):
            status, found, _ = client.ask(path, {"text": rules})
            assert (status, found["diagnostics"][0]["code"]) == (422, "E206")
        assert client.ask("/why", {"atom": "alarm(press)", "at": 3})[1] == before
    assert not (tmp_path / "ran").exists()
