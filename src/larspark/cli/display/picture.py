"""Interval tables as a picture: a bar per interval, a row per atom, time from left to right (SVG).

What is concluded about another time point is a diamond at that time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

COLOURS = ("#2f6f9f", "#c8553d", "#588157", "#8e6c8a", "#b08900", "#3d5a80")
LABEL, WIDTH, ROW = 190, 1100, 16
SECONDS = (1, 2, 5, 10, 15, 30)
HOURS = (1, 2, 3, 6, 12, 24, 48, 7 * 24)
ROUND = [*(1000 * one for one in SECONDS), *(60_000 * one for one in SECONDS), *(3_600_000 * one for one in HOURS)]
"""Distances of moments on a clock, in milliseconds."""


class Bar(NamedTuple):
    label: str
    first: int
    last: int
    pinned: bool = False


class Axis(NamedTuple):
    """The time points of a picture, and how they are written."""

    start: int
    end: int
    text: Callable[[int], str] = str
    clock: int | None = None
    """Milliseconds from one time point to the next, where they are written as moments."""

    def x(self, time: float) -> float:
        return round(LABEL + (time - self.start) * (WIDTH - LABEL) / max(1, self.end - self.start + 1), 1)


def draw_svg(title: str, groups: Mapping[str, Sequence[Bar]], axis: Axis) -> str:
    """The picture as text; `groups` are the predicates, in the order in which they are drawn."""
    rows: list[str] = []
    top = 54
    for number, (name, bars) in enumerate(groups.items()):
        colour = COLOURS[number % len(COLOURS)]
        rows.append(f'<text x="8" y="{top + 12}" class="group" fill="{colour}">{escape(name)}</text>')
        top += ROW + 4
        for label in dict.fromkeys(bar.label for bar in bars):
            rows.append(f'<text x="{LABEL - 8}" y="{top + 11}" class="label">{escape(label)}</text>')
            rows += [_shape(bar, top, colour, axis) for bar in bars if bar.label == label]
            top += ROW
        top += 8
    height = top + 30
    style = (
        "text{font-family:sans-serif;font-size:11px}.label{text-anchor:end;fill:#444}.group{font-weight:bold}"
        ".title{font-size:16px;font-weight:bold}.tick{fill:#777;text-anchor:middle}.day{fill:#777}"
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH + 20}" height="{height}">',
            f"<style>{style}</style>",
            f'<rect width="100%" height="100%" fill="white"/><text x="8" y="26" class="title">{escape(title)}</text>',
            *_ticks(axis, top),
            *rows,
            "</svg>\n",
        ]
    )


def _shape(bar: Bar, top: int, colour: str, axis: Axis) -> str:
    if bar.pinned:
        x, y, r = axis.x(bar.first + 0.5), top + ROW / 2 - 0.5, 5
        points = f"{x - r},{y} {x},{y - r} {x + r},{y} {x},{y + r}"
        tip = f"{escape(bar.label)}: about {escape(axis.text(bar.first))}"
        look = f'fill="white" stroke="{colour}" stroke-width="1.5"'
        return f'<polygon points="{points}" {look}><title>{tip}</title></polygon>'
    left, right = axis.x(bar.first), axis.x(bar.last + 1)
    tip = f"{escape(bar.label)}: {escape(axis.text(bar.first))} to {escape(axis.text(bar.last))}"
    shape = f'x="{left}" y="{top + 2}" width="{max(1.5, round(right - left, 1))}" height="{ROW - 5}" rx="2"'
    return f'<rect {shape} fill="{colour}"><title>{tip}</title></rect>'


def _ticks(axis: Axis, bottom: int) -> Iterator[str]:
    """Some ten round times; a day that they share is said once."""
    first, last = axis.text(axis.start), axis.text(axis.end)
    day = first.partition("T")[0] if axis.clock and first.partition("T")[0] == last.partition("T")[0] else ""
    most = (WIDTH - LABEL) // (7 * (len(last) - len(day)) + 14)
    step = _step(max(1, axis.end - axis.start), min(12, most), axis.clock)
    for time in range(-(-axis.start // step) * step, axis.end + 1, step):
        x, text = axis.x(time), axis.text(time).removeprefix(f"{day}T")
        yield f'<line x1="{x}" x2="{x}" y1="40" y2="{bottom}" stroke="#eee"/>'
        yield f'<text x="{x}" y="{bottom + 14}" class="tick">{escape(text)}</text>'
    if day:
        yield f'<text x="8" y="{bottom + 14}" class="day">{escape(day)}</text>'


def _step(span: int, most: int, clock: int | None) -> int:
    steps: list[int] = [digit * 10**power for power in range(19) for digit in (1, 2, 5)]
    moments = [one // clock for one in ROUND if one % clock == 0] if clock else []
    return next(one for one in (*moments, *steps) if span <= one * most)
