"""Curves as SVG: cost per atom against window size and against rate, one line per contestant, both axes logarithmic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10
from typing import TypeAlias

Curve: TypeAlias = Sequence[tuple[float, float]]

COLOURS = ("#1f6feb", "#0a7d4f", "#b3541e", "#8250df", "#6e7781", "#bf3989", "#9a6700")
WIDTH, HEIGHT = 360, 260
LEFT, RIGHT, TOP, BOTTOM = 58, 14, 28, 40


@dataclass(frozen=True)
class Panel:
    """One diagram: a line per name."""

    title: str
    x_label: str
    curves: Mapping[str, Curve]


def draw(heading: str, panels: Sequence[Panel]) -> str:
    """The panels side by side, with one legend."""
    names = list(dict.fromkeys(name for panel in panels for name in panel.curves))
    colours = {name: COLOURS[place % len(COLOURS)] for place, name in enumerate(names)}
    width, height = WIDTH * len(panels), HEIGHT + 46
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="system-ui, sans-serif" font-size="11" fill="#1f2328" role="img" aria-label="{escape(heading)}">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for place, panel in enumerate(panels):
        parts.append(f'<g transform="translate({place * WIDTH},0)">{_panel(panel, colours)}</g>')
    parts += [_entry(name, colours[name], LEFT + 92 * place, HEIGHT + 24) for place, name in enumerate(names)]
    return "\n".join((*parts, "</svg>\n"))


def _entry(name: str, colour: str, x: float, y: float) -> str:
    line = f'<line x1="{x}" y1="{y}" x2="{x + 18}" y2="{y}" stroke="{colour}" stroke-width="2"/>'
    return f'{line}<text x="{x + 23}" y="{y + 4}">{escape(name)}</text>'


@dataclass(frozen=True)
class _Axis:
    """A logarithmic scale over whole decades."""

    low: int
    high: int
    begin: float
    end: float

    @classmethod
    def over(cls, values: Sequence[float], begin: float, end: float) -> _Axis:
        low, high = floor(log10(min(values))), ceil(log10(max(values)))
        return cls(low, max(high, low + 1), begin, end)

    def place(self, value: float) -> float:
        share = (log10(value) - self.low) / (self.high - self.low)
        return round(self.begin + share * (self.end - self.begin), 1)

    def decades(self) -> list[float]:
        return [10.0**power for power in range(self.low, self.high + 1)]


def _panel(panel: Panel, colours: Mapping[str, str]) -> str:
    points = [point for curve in panel.curves.values() for point in curve]
    x = _Axis.over([max(point[0], 1) for point in points], LEFT, WIDTH - RIGHT)
    y = _Axis.over([point[1] for point in points], HEIGHT - BOTTOM, TOP)
    parts = [f'<text x="{LEFT}" y="16" font-size="12" font-weight="600">{escape(panel.title)}</text>']
    for value in y.decades():
        level = y.place(value)
        parts.append(f'<line x1="{LEFT}" y1="{level}" x2="{WIDTH - RIGHT}" y2="{level}" stroke="#d8dee4"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{level + 4}" text-anchor="end">{value:g}</text>')
    for value in x.decades():
        across = x.place(value)
        parts.append(f'<line x1="{across}" y1="{TOP}" x2="{across}" y2="{HEIGHT - BOTTOM}" stroke="#d8dee4"/>')
        parts.append(f'<text x="{across}" y="{HEIGHT - BOTTOM + 15}" text-anchor="middle">{value:g}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">{escape(panel.x_label)}</text>')
    centre = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(
        f'<text x="14" y="{centre}" text-anchor="middle" transform="rotate(-90 14 {centre})">CPU µs per atom</text>'
    )
    for name, curve in panel.curves.items():
        places = [(x.place(max(at, 1)), y.place(cost)) for at, cost in sorted(curve)]
        line = " ".join(f"{across},{level}" for across, level in places)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colours[name]}" stroke-width="2"/>')
        parts += [f'<circle cx="{across}" cy="{level}" r="2.5" fill="{colours[name]}"/>' for across, level in places]
    return "\n".join(parts)
