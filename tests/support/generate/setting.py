"""What the rules of one random program share: values, time points near its data, which predicate plays which part."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from larspark.language.facts import Fact, Signature
from larspark.language.tree import Clock, Const, Duration
from larspark.language.values import Value
from support.generate.draw import Draw
from support.generate.shape import EXTREME, INPUT, MEASURED, MIXED, ODD, VALUES, WHOLE, Shape


@dataclass(frozen=True)
class Setting:
    """Drawn once per program."""

    start: int
    values: tuple[Value, ...]
    arriving: frozenset[Signature]
    """Derived predicates that are input as well."""
    clock: Clock | None = None
    """Window sizes and differences of time are written as durations where there is one."""
    const: Const | None = None
    """A named number, used for sizes and in terms."""

    def counted(self, signature: Signature) -> bool:
        """Whether a tuple window may stand before it."""
        return signature not in self._derived or signature in self.arriving

    @property
    def _derived(self) -> frozenset[Signature]:
        return frozenset(Shape(wide=True).derived)

    def fact(self, draw: Draw, signature: Signature) -> Fact:
        return Fact(signature.predicate, tuple(draw.pick(self.values) for _ in range(signature.arity)))


def narrow_setting(draw: Draw, shape: Shape) -> Setting:
    arriving = draw.some(shape.derived, 0.6) if shape.arriving else []
    return Setting(draw.pick([0, 0, 0, 3, 7]), VALUES, frozenset(arriving))


def wide_setting(draw: Draw, shape: Shape) -> Setting:
    """Few values at a time, so that atoms meet; sometimes they are time points of the data."""
    start = draw.weighted({0: 6, 1: 1, 3: 1, 7: 1, 1_000_000_000: 0.7, 1_700_000_000: 0.5})
    pool = draw.weighted({VALUES: 3, WHOLE: 2, MIXED: 3, MEASURED: 1.5, ODD: 0.6, (*MIXED, *EXTREME): 1})
    values = draw.random.sample(pool, 3)
    if draw.chance(0.25):
        values[0] = start + draw.pick([0, 1, 2, 3, Decimal("0.5"), Decimal("2.5")])
    arriving = draw.some(shape.derived, 0.3) if draw.chance(0.4) else []
    clock = Clock(Duration(draw.pick([1, 2]), draw.pick(["s", "ms"]))) if draw.chance(0.15) else None
    const = Const("k", draw.pick([1, 2, 3])) if draw.chance(0.1) else None
    return Setting(start, tuple(values), frozenset(arriving), clock, const)


def input_of(draw: Draw, share: float) -> list[Signature]:
    """Input predicates that are background as well."""
    return draw.some(INPUT, share)
