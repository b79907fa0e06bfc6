"""Curves as SVG: what was measured against what grows, one line per name, both axes logarithmic."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10
from typing import TypeAlias

Curve: TypeAlias = Sequence[tuple[float, float]]

COLOURS = (
    "#1f6feb", "#0a7d4f", "#d1242f", "#8250df", "#bf8700", "#bf3989", "#1b7c83", "#57606a", "#8c4a16", "#24292f",
)  # fmt: skip
DASHES = ' stroke-dasharray="5 3"'
WIDTH, HEIGHT = 380, 260
LEFT, RIGHT, TOP, BOTTOM = 62, 14, 28, 40
ENTRY, LINE = 106, 18
"""The room of one name in the legend."""


@dataclass(frozen=True)
class Panel:
    """One diagram: a line per name."""

    title: str
    x_label: str
    y_label: str
    curves: Mapping[str, Curve]


@dataclass(frozen=True)
class _Style:
    """How the line of one name is drawn."""

    colour: str
    dashes: str


def draw(heading: str, panels: Sequence[Panel], dashed: Collection[str] = ()) -> str:
    """The panels side by side, with one legend; the names in `dashed` have broken lines."""
    names = list(dict.fromkeys(name for panel in panels for name in panel.curves))
    styles = {
        name: _Style(COLOURS[place % len(COLOURS)], DASHES if name in dashed else "")
        for place, name in enumerate(names)
    }
    width = WIDTH * len(panels)
    per_row = (width - LEFT) // ENTRY
    height = HEIGHT + LINE * (1 + ceil(len(names) / per_row))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="system-ui, sans-serif" font-size="11" fill="#1f2328" role="img" aria-label="{escape(heading)}">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for place, panel in enumerate(panels):
        parts.append(f'<g transform="translate({place * WIDTH},0)">{_panel(panel, styles)}</g>')
    for place, name in enumerate(names):
        row, column = divmod(place, per_row)
        parts.append(_entry(name, styles[name], LEFT + ENTRY * column, HEIGHT + LINE * (row + 1)))
    return "\n".join((*parts, "</svg>\n"))


def _entry(name: str, style: _Style, x: float, y: float) -> str:
    line = f'<line x1="{x}" y1="{y}" x2="{x + 18}" y2="{y}" stroke="{style.colour}" stroke-width="2"{style.dashes}/>'
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


def _panel(panel: Panel, styles: Mapping[str, _Style]) -> str:
    points = [point for curve in panel.curves.values() for point in curve]
    x = _Axis.over([_drawable(point[0]) for point in points], LEFT, WIDTH - RIGHT)
    y = _Axis.over([_drawable(point[1]) for point in points], HEIGHT - BOTTOM, TOP)
    parts = [f'<text x="{LEFT}" y="16" font-size="12" font-weight="600">{escape(panel.title)}</text>']
    for value in y.decades():
        level = y.place(value)
        parts.append(f'<line x1="{LEFT}" y1="{level}" x2="{WIDTH - RIGHT}" y2="{level}" stroke="#d8dee4"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{level + 4}" text-anchor="end">{value:,g}</text>')
    for value in x.decades():
        across = x.place(value)
        parts.append(f'<line x1="{across}" y1="{TOP}" x2="{across}" y2="{HEIGHT - BOTTOM}" stroke="#d8dee4"/>')
        parts.append(f'<text x="{across}" y="{HEIGHT - BOTTOM + 15}" text-anchor="middle">{value:,g}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">{escape(panel.x_label)}</text>')
    centre = (TOP + HEIGHT - BOTTOM) / 2
    turned = f'transform="rotate(-90 14 {centre})"'
    parts.append(f'<text x="14" y="{centre}" text-anchor="middle" {turned}>{escape(panel.y_label)}</text>')
    for name, curve in panel.curves.items():
        places = [(x.place(_drawable(at)), y.place(_drawable(cost))) for at, cost in sorted(curve)]
        line = " ".join(f"{across},{level}" for across, level in places)
        colour, dashes = styles[name].colour, styles[name].dashes
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>')
        parts += [f'<circle cx="{across}" cy="{level}" r="2.5" fill="{colour}"/>' for across, level in places]
    return "\n".join(parts)


def _drawable(value: float) -> float:
    """A logarithmic axis has no zero: it is drawn at one."""
    return value if value > 0 else 1.0
