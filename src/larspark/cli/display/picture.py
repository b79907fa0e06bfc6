"""Interval tables as a picture: one bar per interval, one row per atom, time from left to right (SVG)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

COLOURS = ("#2f6f9f", "#c8553d", "#588157", "#8e6c8a", "#b08900", "#3d5a80")
LABEL, WIDTH, ROW = 190, 1100, 16


class Bar(NamedTuple):
    label: str
    first: int
    last: int


def draw_svg(title: str, groups: Mapping[str, Sequence[Bar]], start: int, end: int) -> str:
    """The picture as text; `groups` are the predicates, in the order in which they are drawn."""
    rows: list[str] = []
    top = 54
    for number, (name, bars) in enumerate(groups.items()):
        colour = COLOURS[number % len(COLOURS)]
        rows.append(f'<text x="8" y="{top + 12}" class="group" fill="{colour}">{escape(name)}</text>')
        top += ROW + 4
        for label in dict.fromkeys(bar.label for bar in bars):
            rows.append(f'<text x="{LABEL - 8}" y="{top + 11}" class="label">{escape(label)}</text>')
            rows += [_bar(bar, top, colour, start, end) for bar in bars if bar.label == label]
            top += ROW
        top += 8
    axis = [_tick(time, top, start, end) for time in _ticks(start, end)]
    height = top + 30
    style = (
        "text{font-family:sans-serif;font-size:11px}.label{text-anchor:end;fill:#444}.group{font-weight:bold}"
        ".title{font-size:16px;font-weight:bold}.tick{fill:#777;text-anchor:middle}"
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH + 20}" height="{height}">',
            f"<style>{style}</style>",
            f'<rect width="100%" height="100%" fill="white"/><text x="8" y="26" class="title">{escape(title)}</text>',
            *axis,
            *rows,
            "</svg>\n",
        ]
    )


def _x(time: float, start: int, end: int) -> float:
    return round(LABEL + (time - start) * (WIDTH - LABEL) / max(1, end - start + 1), 1)


def _bar(bar: Bar, top: int, colour: str, start: int, end: int) -> str:
    left, right = _x(bar.first, start, end), _x(bar.last + 1, start, end)
    tip = f"{escape(bar.label)}: {bar.first} to {bar.last}"
    shape = f'x="{left}" y="{top + 2}" width="{max(1.5, round(right - left, 1))}" height="{ROW - 5}" rx="2"'
    return f'<rect {shape} fill="{colour}"><title>{tip}</title></rect>'


def _ticks(start: int, end: int) -> range:
    """Some ten round time points."""
    span = max(1, end - start)
    step = next(s for power in range(19) for s in (10**power, 2 * 10**power, 5 * 10**power) if span / s <= 12)
    return range(-(-start // step) * step, end + 1, step)


def _tick(time: int, bottom: int, start: int, end: int) -> str:
    x = _x(time, start, end)
    line = f'<line x1="{x}" x2="{x}" y1="40" y2="{bottom}" stroke="#eee"/>'
    return f'{line}<text x="{x}" y="{bottom + 14}" class="tick">{time}</text>'
