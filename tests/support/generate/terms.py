"""Random terms, and the variables that the literals of a body have bound so far."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from larspark.language.tree import Call, Constant, Duration, Now, Operation, Term, Variable
from support.generate.draw import Draw
from support.generate.setting import Setting
from support.generate.shape import Shape

CALENDAR = ("hour", "minute", "weekday", "date")
IMPORTED = "twice"
"""The function that `#function` imports; `support.random_programs.FUNCTIONS` has its meaning."""


class TermMaker:
    """Terms of one body (or of one element of an aggregate, which sees the variables outside)."""

    def __init__(self, draw: Draw, shape: Shape, setting: Setting) -> None:
        self.draw, self.shape, self.setting = draw, shape, setting
        self.fresh_data, self.fresh_times = "XYZ", "TU"
        self.data: list[str] = []
        self.times: list[str] = []
        self.from_input: set[str] = set()
        """Variables bound by input atoms: arithmetic on them cannot run away."""
        self.anonymous = count(1)

    @property
    def bound(self) -> list[str]:
        return self.data + self.times

    @property
    def clock(self) -> Duration:
        """The length of a time point, which is one second where nothing is said."""
        return self.setting.clock.length if self.setting.clock else Duration(1, "s")

    def sees(self, outer: TermMaker) -> None:
        """The variables of the rule, inside an aggregate, which names its own ones differently."""
        self.fresh_data, self.fresh_times = "VW", "S"
        self.data, self.times = list(outer.data), list(outer.times)
        self.from_input, self.anonymous = set(outer.from_input), outer.anonymous

    # -- arguments and times -----------------------------------------------------------------------

    def value(self) -> Constant:
        return Constant(self.draw.pick(self.setting.values))

    def argument(self, *, binds: bool, is_input: bool = False) -> Term:
        """An argument of a body atom."""
        if self.shape.wide:
            if self.draw.chance(0.08):
                return self.any_value()
            if self.bound and self.draw.chance(0.06):
                return self.computed()
            if self.draw.chance(0.015):
                return self.leaf(())
        return self._term(self.data, self.fresh_data, self.value(), binds=binds, is_input=is_input)

    def time(self, *, binds: bool, is_input: bool) -> Term:
        """What stands behind `@`."""
        if not binds and self.data and self.draw.chance(0.2):  # a value that is perhaps no time point
            return Variable(self.draw.pick(self.data))
        if self.shape.wide and self.draw.chance(0.25):
            if self.draw.chance(0.15):
                return self.any_value()
            return self.moment()
        constant = Constant(self.setting.start + 4 if self.shape.wide else 4)
        return self._term(self.times, self.fresh_times, constant, binds=binds, is_input=is_input)

    def moment(self) -> Term:
        """A time point that nothing gets bound by: `now - 1`, `T + 2`, `5`, perhaps a value of the data."""
        options: dict[str, float] = {"now": 2, "shifted": 2, "constant": 2, "call": 0.2}
        if self.setting.clock:
            options["duration"] = 1.5
        if self.times:
            options |= {"variable": 2, "computed": 2}
        if self.data:
            options |= {"data": 0.5}
        match self.draw.weighted(options):
            case "now":
                return Now()
            case "shifted":
                return self.shifted(Now())
            case "variable":
                return Variable(self.draw.pick(self.times))
            case "computed":
                return self.shifted(Variable(self.draw.pick(self.times)))
            case "data":
                return Variable(self.draw.pick(self.data))
            case "duration":
                return Duration(self.draw.pick([0, 4]) * self.clock.amount, self.clock.unit)
            case "call":
                return Call(self.draw.pick(["min", "max"]), (self.moment(), self.moment()))
        return Constant(self.setting.start + self.draw.pick([0, 1, 2, 3, 5, 8]))

    def shifted(self, time: Term, shifts: Sequence[int] = (-3, -2, -1, -1, 1, 2)) -> Term:
        shift = self.draw.pick(shifts)
        if shift == 0:
            return time
        distance: Term = Constant(abs(shift))
        if self.setting.clock and self.draw.chance(0.5):
            distance = Duration(abs(shift) * self.clock.amount, self.clock.unit)
        return Operation("+" if shift > 0 else "-", time, distance)

    def any_value(self) -> Variable:
        """`_`."""
        return Variable(f"_{next(self.anonymous)}")

    def new_data(self, name: str) -> Variable:
        """A variable that a comparison or an aggregate binds."""
        self.data.append(name)
        return Variable(name)

    def _term(self, bound: list[str], fresh: str, constant: Term, *, binds: bool, is_input: bool) -> Term:
        """A constant, a variable that is bound already, or (only where it gets bound) a new one."""
        if not self.shape.variables and bound is self.data:
            return constant
        roll = self.draw.random.random()
        if bound and roll < (0.4 if binds else 0.85):
            name = self.draw.pick(bound)
        elif binds and roll < 0.9:
            name = next((name for name in fresh if name not in bound), fresh[-1])
        else:
            return constant
        if binds:
            if name not in bound:
                bound.append(name)
            if is_input:
                self.from_input.add(name)
        return Variable(name)

    # -- computed terms ----------------------------------------------------------------------------

    def computed(self, names: Sequence[str] | None = None) -> Term:
        """`X + 1`, `max(X, now)`, `-X`, nested at most once more."""
        names = self.bound if names is None else names
        draw = self.draw
        left: Term = self.computed(names) if draw.chance(0.12) else self.leaf(names)
        sides = (left, self.leaf(names)) if draw.chance(0.7) else (self.leaf(names), left)
        match draw.weighted({"operation": 6, "negative": 1, "call": 1.5, "calendar": 0.5, "imported": 0.3}):
            case "operation":
                return Operation(draw.pick("+-*/%^" if draw.chance(0.1) else "++--*/%"), *sides)
            case "negative":
                return Operation("-", Constant(0), left)
            case "call":
                function = draw.pick(["min", "max", "abs"])
                return Call(function, (left,) if function == "abs" else (left, self.leaf(names)))
            case "calendar":
                return Call(draw.pick(CALENDAR), (left,))
        return Call(IMPORTED, (left,))

    def leaf(self, names: Sequence[str]) -> Term:
        """A bound variable, mostly."""
        draw = self.draw
        if names and draw.chance(0.55):
            return Variable(draw.pick(names))
        if draw.chance(0.2):
            return Now()
        if self.setting.clock and draw.chance(0.5):
            return self.clock
        if self.setting.const and draw.chance(0.3):
            return Constant(self.setting.const.name)
        return self.value() if draw.chance(0.5) else Constant(draw.pick([0, 1, 2]))
