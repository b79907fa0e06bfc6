"""A timeline of prospects: what was seen, what is still open, and when the goal holds or would hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from html import escape

from larspark.hypothetical.answers.prospect import Prospect
from larspark.hypothetical.answers.times import POINTS, WrittenTimes
from larspark.hypothetical.theory.terms import ABSOLUTE


class TimeMark(StrEnum):
    """What a time point means for an answer, as drawn in a terminal."""

    SEEN = "●"
    NEEDED = "○"
    POSSIBLE = "·"
    GOAL = "◆"
    GOAL_OPEN = "◇"


CLOCK_TIME = len("08:15:00")


@dataclass(frozen=True)
class Lane:
    """One answer as a row of marks."""

    label: str
    marks: dict[int, TimeMark]


def lane(prospect: Prospect) -> Lane:
    """The evidence and hypotheses of an answer by time; the goal's own time is drawn on its own row's end."""
    marks: dict[int, TimeMark] = {}
    answer = prospect.source
    for low, high in prospect.where.values():
        if low is not None and high is not None:
            marks.update(dict.fromkeys(range(low, high + 1), TimeMark.POSSIBLE))
    if answer is not None:
        for signed in answer.hypotheses:
            if signed.literal.time is not None and signed.literal.time.base == ABSOLUTE:
                marks[signed.literal.time.offset] = TimeMark.NEEDED
        for signed in answer.evidence:
            if signed.literal.time is not None and signed.literal.time.base == ABSOLUTE:
                marks.setdefault(signed.literal.time.offset, TimeMark.SEEN)
    name = prospect.text.partition(": ")[0]
    return Lane(f"{TimeMark.GOAL if prospect.definite else TimeMark.GOAL_OPEN} {name}", marks)


def _span(lanes: Sequence[Lane], now: int) -> range:
    times = [time for one in lanes for time in one.marks]
    return range(min([*times, now]), max([*times, now]) + 1)


def _labels(span: range, times: WrittenTimes) -> dict[int, str]:
    """What stands above each time point; of timestamps of one day only the time of day."""
    texts = {point: times.text(point) for point in span}
    if times.stamped and len({text.partition("T")[0] for text in texts.values()}) == 1:
        return {point: text.partition("T")[2][:CLOCK_TIME] for point, text in texts.items()} if _whole(texts) else texts
    return texts


def _whole(texts: Mapping[int, str]) -> bool:
    """Whether all are whole seconds, so that the time of day tells them apart."""
    return not any("." in text for text in texts.values())


def draw_text(prospects: Sequence[Prospect], now: int, times: WrittenTimes = POINTS) -> str:
    """Rows of marks under a scale, a bar after the current time."""
    lanes = [lane(prospect) for prospect in prospects]
    span = _span(lanes, now)
    width = max([len(one.label) for one in lanes], default=0)
    labels = _labels(span, times)
    cell = max(map(len, labels.values())) + 1

    def row(label: str, cells: dict[int, str]) -> str:
        drawn = "".join(cells.get(t, "").rjust(cell) + ("│" if t == now else "") for t in span)
        return f"{label.ljust(width)} {drawn}".rstrip()

    scale = row("", labels)
    key = f"{TimeMark.SEEN} seen  {TimeMark.NEEDED} needed  {TimeMark.POSSIBLE} at one of these  │ now"
    return "\n".join([scale, *(row(one.label, {t: str(m) for t, m in one.marks.items()}) for one in lanes), key])


STEP, ROW, TOP = 28, 24, 40
COLOURS = {TimeMark.SEEN: "#2b6cb0", TimeMark.NEEDED: "#ffffff", TimeMark.POSSIBLE: "#e2e8f0"}


def draw_svg(prospects: Sequence[Prospect], now: int, times: WrittenTimes = POINTS) -> str:
    """The same as a picture: filled discs for evidence, rings for hypotheses, bands for open times."""
    lanes = [lane(prospect) for prospect in prospects]
    span = _span(lanes, now)
    labels = _labels(span, times)
    step = max(STEP, 7 * max(map(len, labels.values())) + 6)
    left = 16 + 7 * max([len(one.label) for one in lanes], default=0)
    width, height = left + step * len(span) + 16, TOP + ROW * len(lanes) + 16

    def x(time: int) -> int:
        return left + step * (time - span.start) + step // 2

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
        f'font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    parts += [f'<text x="{x(t)}" y="24" text-anchor="middle" fill="#4a5568">{labels[t]}</text>' for t in span]
    edge = x(now) + step // 2
    parts.append(f'<line x1="{edge}" y1="12" x2="{edge}" y2="{height - 8}" stroke="#c53030" stroke-dasharray="4 3"/>')
    for number, one in enumerate(lanes):
        y = TOP + ROW * number + ROW // 2
        parts.append(f'<text x="8" y="{y + 4}">{escape(one.label)}</text>')
        for time, mark in sorted(one.marks.items()):
            if mark is TimeMark.POSSIBLE:
                parts.append(
                    f'<rect x="{x(time) - step // 2}" y="{y - 8}" width="{step}" height="16" fill="{COLOURS[mark]}"/>'
                )
            else:
                parts.append(f'<circle cx="{x(time)}" cy="{y}" r="7" fill="{COLOURS[mark]}" stroke="#2b6cb0"/>')
    return "\n".join([*parts, "</svg>\n"])
