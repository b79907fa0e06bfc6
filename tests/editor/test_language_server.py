"""The language server as an editor sees it: a client that speaks the protocol over standard input and output."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

TEXT = """\
#input reading(sensor: text, celsius: number).
% hot for a while
hot(S) :- reading(S, V) [5], V > 30.
alarm(S) :- always hot(S) [3], not off(S).
off(S) :- reading(S, V) [2], V < 0.
"""


class Editor:
    """Sends requests, and waits for answers and for notifications."""

    def __init__(self, folder: Path) -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        self._server = subprocess.Popen(
            [sys.executable, "-m", "larspark", "lsp"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment,
        )  # fmt: skip
        self._number = 0
        self.uri = (folder / "program.lars").as_uri()
        self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        self.tell("initialized", {})

    def tell(self, method: str, params: Any = None) -> None:
        self._send({"jsonrpc": "2.0", "method": method} | ({} if params is None else {"params": params}))

    def ask(self, method: str, params: Any = None) -> Any:
        self._number += 1
        numbered = {"jsonrpc": "2.0", "id": self._number, "method": method}
        self._send(numbered | ({} if params is None else {"params": params}))
        while True:
            message = self._receive()
            if message.get("id") == self._number and "method" not in message:
                assert "error" not in message, message
                return message["result"]

    def at(self, method: str, line: int, character: int, **more: Any) -> Any:
        place = {"textDocument": {"uri": self.uri}, "position": {"line": line, "character": character}}
        return self.ask(f"textDocument/{method}", {**place, **more})

    def open(self, text: str) -> list[dict[str, Any]]:
        """The findings."""
        document = {"uri": self.uri, "languageId": "lars", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        while True:
            message = self._receive()
            if message.get("method") == "textDocument/publishDiagnostics":
                found: list[dict[str, Any]] = message["params"]["diagnostics"]
                return found

    def close(self) -> None:
        self.ask("shutdown")
        self.tell("exit")
        assert self._server.wait(20) == 0
        for stream in (self._server.stdin, self._server.stdout):
            assert stream is not None
            stream.close()

    def _send(self, message: dict[str, Any]) -> None:
        content = json.dumps(message).encode()
        assert self._server.stdin is not None
        self._server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(content), content))
        self._server.stdin.flush()

    def _receive(self) -> dict[str, Any]:
        assert self._server.stdout is not None
        length = 0
        while line := self._server.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        message: dict[str, Any] = json.loads(self._server.stdout.read(length))
        return message


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    found = Editor(tmp_path_factory.mktemp("edited"))
    assert [one["code"] for one in found.open(TEXT)] == ["W209"]
    yield found
    found.close()


def test_hover_tells_what_is_known(editor: Editor) -> None:
    told = editor.at("hover", 2, 12)["contents"]["value"]
    assert "reading/2" in told
    assert "input" in told
    assert "celsius: number" in told
    assert "5 time points" in told
    assert "line 3, line 5" in told
    assert "Stratum 2 of 2" in editor.at("hover", 3, 1)["contents"]["value"]


def test_the_definition_of_a_predicate_is_found(editor: Editor) -> None:
    (place,) = editor.at("definition", 3, 19)
    assert place["uri"] == editor.uri
    assert place["range"]["start"] == {"line": 2, "character": 0}


def test_a_predicate_is_renamed_everywhere(editor: Editor) -> None:
    edits = editor.at("rename", 4, 11, newName="Messwert")["changes"][editor.uri]
    assert [edit["range"]["start"]["line"] for edit in edits] == [0, 2, 4]
    assert {edit["newText"] for edit in edits} == {'"Messwert"'}


def test_words_and_predicates_are_completed(editor: Editor) -> None:
    found = {item["label"]: item["detail"] for item in editor.at("completion", 3, 12)}
    assert found["alarm"] == "predicate"
    assert found["always"] == "word"
    assert found["#record"] == "directive"


def test_a_program_is_laid_out(editor: Editor) -> None:
    params = {"textDocument": {"uri": editor.uri}, "options": {"tabSize": 4, "insertSpaces": True}}
    (edit,) = editor.ask("textDocument/formatting", params)
    assert edit["newText"] == TEXT


def test_errors_come_with_their_hints(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    (finding,) = editor.open("a(X) :- b(Y) [5].\n")[:1]
    assert finding["code"].startswith("E")
    assert finding["range"]["start"]["line"] == 0
    params = {"textDocument": {"uri": editor.uri}, "range": finding["range"], "context": {"diagnostics": [finding]}}
    actions = editor.ask("textDocument/codeAction", params)
    assert actions[0]["title"].startswith(finding["code"])
    editor.close()
