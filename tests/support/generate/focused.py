"""Random programs about one thing, with streams that are dense around the borders of their windows.

In larger programs something else often fails, or another rule gives the same; and then nothing tells what was wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from larspark.language.facts import Fact, Signature
from larspark.language.parser import parse_program
from larspark.language.traversal import atoms
from larspark.language.tree import Input, Program
from larspark.language.values import Value
from support.generate.composed import composed
from support.generate.draw import Draw
from support.generate.meetings import meetings
from support.generate.patterns import PATTERNS
from support.generate.shape import INPUT
from support.generate.spellings import BETWEEN, CALCULATED, COMPARED

POOLS: dict[tuple[Value, ...], float] = {
    (1, 2): 4,
    (0, 1, 2): 2,
    (-1, 0, 1): 2,
    (3, 2, 10): 1,
    ("x", 1, 2): 2,
    (1, Decimal("1.5"), 2): 3,
    (Decimal("-0.5"), Decimal("0.25"), 1): 1,
    ("two words", "Upper", "x", 1): 2,
    ("not", "x", "1", "y"): 0.7,
    (2**31 - 1, 2**31, -(2**31)): 0.7,
    (Decimal("0.5"), 20, Decimal("1.5"), -10): 1,
    (2**60 - 1, -(2**60), 1, 2**60): 0.7,
    (Decimal("0.00000000000000000001"), Decimal("0.5"), 1): 0.5,
}
COMPOSED, MEETING = 0.35, 0.15
"""The parts that are put together in one way or the other, and are none of the patterns."""
GAP = re.compile(r"\{([wynlsvcofrkmi])\}")


class _Gaps:
    """What is drawn for the gaps of a pattern."""

    def __init__(self, draw: Draw, values: Sequence[Value], start: int) -> None:
        self.draw, self.values, self.start = draw, values, start
        self.length = draw.pick([1, 2, 2, 3])
        """Windows have about the same length, so that their borders meet."""

    def fill(self, gap: str) -> str:
        draw = self.draw
        match gap:
            case "w":
                return self.window() if draw.chance(0.5) else self.behind()
            case "y":
                return (draw.chance(0.5) and self.window()) or self.behind()
            case "l":
                return self.behind()
            case "n":
                return self.counting()
            case "s":
                return str(draw.pick([0, 1, 1, 2, 3]))
            case "v":
                return spelled(draw.pick(self.values))
            case "c":
                return spelled(draw.pick(self.values)).strip("()")
            case "o":
                return draw.pick(["=", "!=", "<", "<=", ">", ">="])
            case "f":
                return draw.pick(["count", "sum", "sum", "min", "max", "avg"])
            case "k":
                return draw.pick(COMPARED)
            case "m":
                return draw.pick(CALCULATED)
            case "i":
                return draw.pick(BETWEEN)
        return draw.pick(["+", "-", "*", "/", "\\"])

    def near(self) -> int:
        return max(0, self.length + self.draw.pick([-1, 0, 0, 1]))

    def behind(self) -> str:
        return f"[{self.near()}]"

    def window(self) -> str:
        draw, size = self.draw, self.near()
        hop = min(draw.pick([1, 2, 2, 3]), size + 1)
        return draw.weighted(
            {
                "": 1.5,
                f"[{size}, +{draw.pick([1, 2])}]": 1.5,
                f"[{size} hop {hop}]": 1.5,
                f"[{size}, +1 hop {hop}]": 0.7,
                f"[tumble {size + 1}]": 1,
                f"[hop {hop} over {size + hop}]": 0.5,
                "[all]": 0.7,
                f"[{size}, +all]": 0.8,
                "[all, +all]": 0.3,
                f"[from {self.start + 1} to {self.start + 1 + size}]": 0.8,
                f"[from now - {size} to now]": 0.6,
                f"[+{size + 1}]": 0.5,
            }
        )

    def counting(self) -> str:
        draw = self.draw
        number = draw.pick([1, 2, 2, 3])
        whole = draw.pick(["", "", " whole"])
        return draw.weighted(
            {
                f"[{number} #{whole}]": 2,
                f"[{number} # of e/1, a/0]": 1,
                f"[{number} #{whole} per 1]": 1.5,
                f"[{number} #, +1 #]": 0.5,
                f"[session {draw.pick([1, 2])}]": 0.7,
                f"[session {draw.pick([1, 2])} per 1]": 0.7,
            }
        )


def spelled(value: Value) -> str:
    if isinstance(value, str) and not re.fullmatch("[a-z]", value):
        return f'"{value}"'
    text = format(value, "f") if isinstance(value, Decimal) else str(value)
    return f"({text})" if text.startswith("-") else text


Focused = tuple[Program, int, list[tuple[int, Fact]], tuple[Fact, ...]]


def focused(draw: Draw, number: int) -> Focused:
    """A program, the start, arrivals and background; the patterns take turns."""
    values = draw.weighted(POOLS)
    start = draw.weighted({0: 5, 1: 1.5, 4: 1.5, 1_000_000_000: 0.3})
    gaps = _Gaps(draw, values, start)
    made = draw.weighted({composed: COMPOSED, meetings: MEETING, None: 1 - COMPOSED - MEETING})
    text = made(draw) if made else PATTERNS[number % len(PATTERNS)]
    program = parse_program(GAP.sub(lambda found: gaps.fill(found[1]), text).replace("{{", "{").replace("}}", "}"))
    derived = {atom.signature for rule in program.rules for atom in atoms(rule.head)}
    taken = {one.signature for one in program.directives if isinstance(one, Input)}
    read = [
        *dict.fromkeys(atom.signature for reader in program.readers for part in reader.body for atom in atoms(part))
    ]
    arriving = [one for one in read if one in INPUT or (one in taken and one in derived)] or [*INPUT[:1]]
    background = ()
    known = [one for one in read if one.predicate == "bg" or (one in taken and one not in derived)]
    if known:
        background = tuple(Fact(known[0].predicate, (value,)) for value in draw.some(values, 0.6))
    arrivals = sorted(_arrivals(draw, arriving, values, start, gaps.length), key=lambda one: one[0])
    return program, start, arrivals, background


def _arrivals(
    draw: Draw, arriving: Sequence[Signature], values: Sequence[Value], start: int, length: int
) -> Iterator[tuple[int, Fact]]:
    """Runs with gaps, single arrivals that expire one by one, bursts, or several at the same times.

    Now and then the same arrives twice.
    """
    plan = draw.pick(["runs", "runs", "single", "single", "bursts", "together", "together"])
    moments = [start + draw.pick([0, 1]) + place * draw.pick([1, 1, length + 1]) for place in range(4)]
    few = values[: draw.pick([1, 2, 2, len(values)])]
    for signature in arriving:
        facts = [
            Fact(signature.predicate, tuple(draw.pick(few) for _ in range(signature.arity)))
            for _ in range(draw.pick([1, 2, 2, 3]) if signature.arity else 1)
        ]
        for fact in dict.fromkeys(facts):
            time = start + draw.pick([0, 0, 1, 2])
            if plan in ("runs", "together"):
                times = moments if plan == "together" else range(time, time + length + 4)
                yield from ((moment, fact) for moment in times if draw.chance(0.7))
                continue
            for _ in range(draw.pick([1, 2, 2, 3])):
                yield time, fact
                if draw.chance(0.1):
                    yield time, fact
                time += draw.pick([length, length + 1, length + 2, 1] if plan == "single" else [0, 0, 1, length + 1])
    if draw.chance(0.3):
        yield start + draw.pick([0, 1, 3]), Fact("other")
