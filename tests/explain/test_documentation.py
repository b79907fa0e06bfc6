"""The page about explanations shows what the commands print; run as a program, this file rewrites it."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from larspark.cli.main import main
from larspark.explain.evaluations.history import RecordPlace, Refusal
from larspark.explain.faces.why_not_text import why_not_text
from larspark.explain.misses.reasons import VOCABULARY
from support.explained import case
from support.notation import fact

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "explanations.md"
FOLDER = ROOT / "examples" / "explanations"

WORDS = {
    "never": ("a(X) :- b(X) [3].", "0:c", "a(1)", 2),
    "expired": ("a(X) :- b(X) [3].", "0:b(1) 9:c", "a(1)", 5),
    "not-yet": ("a(X) :- b(X) [3].", "0:c 9:b(1)", "a(1)", 5),
    "gap": ("a(X) :- always b(X) [3].", "0:b(1) 1:b(1) 3:b(1)", "a(1)", 3),
    "pushed-out": ("a(X) :- b(X) [1 #].", "0:b(1) 1:c", "a(1)", 1),
    "other-value": ("a(X) :- b(X) [3].", "0:b(2)", "a(1)", 2),
    "blocked": ("a(X) :- b(X) [3], not c [2].", "0:b(1) 1:c", "a(1)", 1),
    "comparison": ("a(X) :- b(X,Y) [3], Y > 2.", "0:b(1,1)", "a(1)", 1),
    "aggregate": ("a :- b [3], 2 <= #count{ X : c(X) [3] }.", "0:b 1:c(1)", "a", 1),
    "chosen-otherwise": ("a :- e [3], not b. b :- e [3], not a.", "0:e", "", 0),
    "constraint": ("a :- e [3], not b. b :- e [3], not a. :- a, e.", "0:e", "a", 0),
}


def printed(words: list[str]) -> str:
    """What a command prints, called in the folder of the examples: its answer, or why it has none."""
    written, problems, before = io.BytesIO(), io.StringIO(), Path.cwd()
    out = io.TextIOWrapper(written, "utf-8", write_through=True)
    os.chdir(FOLDER)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(problems), _input(words):
            main(words[: words.index("<")] if "<" in words else words)
    finally:
        os.chdir(before)
    return written.getvalue().decode() or re.sub(r"\A.*\n(?=\S* ?error E)", "", problems.getvalue(), flags=re.S)


@contextlib.contextmanager
def _input(words: list[str]) -> Iterator[None]:
    """`< FILE` is read as standard input."""
    if "<" not in words:
        yield
        return
    with Path(words[-1]).open() as file, pytest.MonkeyPatch.context() as patched:
        patched.setattr("sys.stdin", file)
        yield


def vocabulary() -> str:
    parts = []
    for program, stream, atom, time in WORDS.values():
        asked = case(program, stream)
        missing = atom or next(one for one in ("a", "b") if (time, fact(one)) not in asked.answer_streams(time)[0])
        found = asked.why_not(missing, time)
        arrivals = ", ".join(map(_said, stream.split()))
        parts.append(f"With {arrivals}:\n\n```\n{why_not_text(found)}\n```\n")
    parts.append(f"With `c` at 3, and `b(1)` at 1 in line 2, which came too late:\n\n```\n{refused()}\n```\n")
    return "\n".join(parts)


def refused() -> str:
    late = Refusal(RecordPlace("stream.jsonl", 2), "Time goes backwards, from 3 to 1.", "E405", 1, fact("b(1)"))
    asked = replace(case("a(X) :- b(X) [3].", "3:c"), start=0, refused=(late,))
    return why_not_text(asked.why_not("a(1)", 3))


def _said(part: str) -> str:
    time, _, atom = part.partition(":")
    return f"`{atom}` at {time}"


def rewritten(text: str) -> str:
    """The page with what is printed now."""

    def command(match: re.Match[str]) -> str:
        return f"```console\n$ larspark {match[1]}\n{printed(shlex.split(match[1]))}```"

    text = re.sub(r"```console\n\$ larspark ([^\n]*)\n.*?```", command, text, flags=re.S)
    text = re.sub(
        r"<!-- file: (\S+) -->\n```\n.*?```",
        lambda match: f"<!-- file: {match[1]} -->\n```\n{(FOLDER / match[1]).read_text()}```",
        text,
        flags=re.S,
    )
    shown = f"<!-- vocabulary -->\n\n{vocabulary()}\n<!-- end -->\n"
    return re.sub(r"<!-- vocabulary -->.*?(<!-- end -->\n|(?=\n## ))", lambda _: shown, text, flags=re.S)


def commands() -> Iterator[str]:
    yield from re.findall(r"```console\n\$ larspark ([^\n]*)\n", PAGE.read_text())


@pytest.mark.parametrize("command", list(commands()))
def test_the_page_shows_what_is_printed(command: str) -> None:
    found = re.search(re.escape(f"$ larspark {command}\n") + r"(.*?)```", PAGE.read_text(), re.S)
    assert found is not None
    assert found[1] == printed(shlex.split(command))


def test_the_page_shows_the_files() -> None:
    for name, text in re.findall(r"<!-- file: (\S+) -->\n```\n(.*?)```", PAGE.read_text(), re.S):
        assert text == (FOLDER / name).read_text()


def test_the_page_shows_every_word() -> None:
    assert vocabulary() in PAGE.read_text()
    assert {*WORDS, "refused"} == set(VOCABULARY)
    for word in VOCABULARY:
        assert f"{word}: " in PAGE.read_text()


if __name__ == "__main__":  # with `tests` on the path
    PAGE.write_text(rewritten(PAGE.read_text()))
