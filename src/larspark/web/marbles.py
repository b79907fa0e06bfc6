"""Small pictures for the documentation, made from real evaluations, so that they cannot be wrong.

`python -m larspark.web.marbles docs/pictures` writes them anew; a test compares them with what is there.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import NamedTuple

from larspark.explain.evaluations.history import AnswerHistory, Sourced
from larspark.language.facts import Fact, fact_order
from larspark.language.parser import parse_fact
from larspark.questions.explaining import Case
from larspark.runtime.prepared import prepare


class Marble(NamedTuple):
    """A program over a few arrivals."""

    name: str
    program: str
    arrivals: str
    """`0 a, 3 a, 4 b(1)`."""
    end: int


MARBLES = (
    Marble("window-time", "b :- a [3].", "2 a, 9 a", 14),
    Marble("window-future", "@(T+4) b :- @T a [0].\nc :- b [+4].", "2 a", 9),
    Marble("window-hopping", "b :- a [4 hop 4].", "1 a, 6 a", 14),
    Marble("window-tumble", "n(N) :- N = #count{ X : a(X) [tumble 5] }.", "1 a(1), 3 a(2), 6 a(3), 11 a(4)", 16),
    Marble("window-hop", "b(X) :- a(X) [hop 2 over 4].", "1 a(1), 6 a(2)", 14),
    Marble("window-session", "b(X) :- a(X) [session 2].", "1 a(1), 3 a(2), 4 a(3), 9 a(4)", 14),
    Marble("window-tuple", "b(X) :- a(X) [2 #].", "1 a(1), 3 a(2), 6 a(3), 11 a(4)", 14),
    Marble("window-per", "on(M) :- state(M, on) [1 # per M].", "1 state(m,on), 3 state(n,on), 6 state(m,off)", 10),
    Marble("always", "b :- always a [2].", "3 a, 4 a, 5 a, 6 a, 8 a, 9 a", 12),
    Marble("negation", "quiet :- not beat [3].", "2 beat, 4 beat, 11 beat", 14),
    Marble("held", "#hold r(M,C) per M for 4.\nhot(M) :- r(M,C), C > 80.", "1 r(m,90), 4 r(m,70), 7 r(m,95)", 14),
    Marble("top", "best(R, X) :- (R, X) = #top{ 2; Y : bid(Y) [6] }.", "1 bid(3), 3 bid(5), 5 bid(4)", 12),
    Marble("conclusions", "b :- a [1].\nc :- b [5].", "5 a", 12),
    Marble("pinned", "@T b :- @T a [3].\nc :- b [5].", "5 a", 12),
)

LABEL, CELL, ROW, TOP = 104, 34, 26, 12
STYLE = (
    "text{font:12px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#49535e}"
    ".line{stroke:#c9ced4}.arrives{fill:#49535e}.holds{fill:#0072b2}.pinned{fill:none;stroke:#d8600a;stroke-width:1.6}"
    ".time{text-anchor:middle;font-size:11px;fill:#69737e}"
    "@media(prefers-color-scheme:dark){text,.time{fill:#aab4bf}.line{stroke:#343c46}.arrives{fill:#aab4bf}"
    ".holds{fill:#4aa3df}.pinned{stroke:#f08a4b}}"
)


def draw(marble: Marble) -> str:
    """The picture as text: arrivals are dots, what holds are bars, what is said of another time point are diamonds."""
    arrivals = [Sourced(time, fact) for time, fact in _arrivals(marble.arrivals)]
    case = Case.of(prepare(marble.program), arrivals, (0, marble.end))
    history = case.side.history
    inputs = sorted({one.fact for one in arrivals}, key=fact_order)
    derived = sorted({one.fact for one in history.stretches}, key=fact_order)
    parts = [part for row, fact in enumerate(inputs) for part in _row(row, fact, marble.end)]
    parts += [_dot(inputs.index(one.fact), one.time) for one in arrivals]
    for row, fact in enumerate(derived, len(inputs)):
        parts += [*_row(row, fact, marble.end), *_conclusions(row, fact, history)]
    bottom = TOP + ROW * (len(inputs) + len(derived))
    parts += [f'<text class="time" x="{_x(time)}" y="{bottom + 14}">{time}</text>' for time in range(marble.end + 1)]
    width, height = _x(marble.end) + CELL // 2 + 4, bottom + 22
    title = f"<title>{escape(marble.program)} with {escape(marble.arrivals)}</title>"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img">'
    return "\n".join([head, title, f"<style>{STYLE}</style>", *parts, "</svg>\n"])


def _arrivals(text: str) -> Iterator[tuple[int, Fact]]:
    for part in text.replace("), ", ");").replace(", ", ";").split(";"):
        time, atom = part.split(" ", 1)
        yield int(time), parse_fact(atom)


def _x(time: int) -> int:
    return LABEL + CELL // 2 + time * CELL


def _row(row: int, fact: Fact, end: int) -> list[str]:
    middle = TOP + row * ROW + ROW // 2
    line = f'<line class="line" x1="{LABEL}" x2="{_x(end) + CELL // 2}" y1="{middle}" y2="{middle}"/>'
    return [line, f'<text x="4" y="{middle + 4}">{escape(str(fact))}</text>']


def _dot(row: int, time: int) -> str:
    return f'<circle class="arrives" cx="{_x(time)}" cy="{TOP + row * ROW + ROW // 2}" r="6"/>'


def _conclusions(row: int, fact: Fact, history: AnswerHistory) -> Iterator[str]:
    top, middle = TOP + row * ROW + 6, TOP + row * ROW + ROW // 2
    for one in sorted(history.stretches, key=lambda one: one[2:]):
        if one.fact != fact:
            continue
        if one.at is None:
            left, right = _x(one.first) - CELL // 2 + 2, _x(one.last) + CELL // 2 - 2
            yield f'<rect class="holds" x="{left}" y="{top}" width="{right - left}" height="{ROW - 12}" rx="4"/>'
        else:
            x = _x(one.at)
            yield f'<path class="pinned" d="M{x},{middle - 7}l7,7l-7,7l-7,-7z"/>'


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for marble in MARBLES:
        (folder / f"{marble.name}.svg").write_text(draw(marble), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
