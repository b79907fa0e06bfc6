"""Constants and clock.

Afterwards a program has no `#const` name in a term or window, no duration, no range, and only window sizes that make
sense.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from larspark.diagnostics import Diagnostic, Rejected
from larspark.diagnostics.origin import Origin
from larspark.language.calendar import SECOND
from larspark.language.evaluate import BUILT_IN
from larspark.language.printing.terms import show_term
from larspark.language.shorthands.ranges import formula_without_ranges, is_range, without_ranges
from larspark.language.shorthands.ranks import misplaced, spelled_out
from larspark.language.traversal import rewrite, walk
from larspark.language.tree import (
    UNBOUNDED,
    Call,
    Clock,
    Const,
    Constant,
    Duration,
    Extent,
    Formula,
    FunctionImport,
    Hold,
    Node,
    Pattern,
    Prefer,
    Program,
    Ranked,
    Rule,
    Unbounded,
    WindowNode,
)
from larspark.language.values import Value, show_value


def resolve(program: Program, clock: Duration | None = None, constants: Mapping[str, Value] | None = None) -> Program:
    """Replace constants and durations, check every window size; `clock` and `constants` override the program's own."""
    problems: list[Diagnostic] = []
    length = clock or _clock(program, problems)
    if length.milliseconds <= 0:
        hint = "A time point has a positive length, such as `1 s`."
        problems.append(Diagnostic("E302", "The clock stands still.", hint, length.origin))
        length = SECOND
    functions = {d.signature.predicate: d.signature.arity for d in program.directives if isinstance(d, FunctionImport)}
    resolver = _Resolver(length, _constants(program, constants or {}, problems), functions, problems)
    ranked = (spelled_out(rewrite(rule, resolver.step), problems) for rule in program.rules)
    rules = tuple(one for rule in ranked for one in without_ranges(rule, problems))
    problems += misplaced(program.directives)
    others = (rewrite(d, resolver.step) for d in program.directives if not isinstance(d, Clock | Const))
    directives = tuple(one for d in others for one in (without_ranges(d, problems) if isinstance(d, Prefer) else (d,)))
    if problems:
        raise Rejected(problems)
    return replace(program, rules=rules, directives=(Clock(length, origin=length.origin), *directives))


class Written(NamedTuple):
    """A rule of a resolved program, as it was written."""

    rule: Rule
    """As it stands in the text, where it may stand for several rules."""
    spelled: Rule
    """This one of them, literal by literal as it is resolved; durations are as they were written."""


def written_rules(program: Program, constants: Mapping[str, Value] | None = None) -> Iterator[Written]:
    """Where the rules of a program that can be resolved come from, one by one in their order."""
    problems: list[Diagnostic] = []
    values = _constants(program, constants or {}, problems)

    def step(node: Node) -> Node:
        match node:
            case Constant(str(name)) if name in values:
                return replace(node, value=values[name])
        return node

    for rule in program.rules:
        if any(is_range(part) or isinstance(part, Ranked) for part in walk(rule)):
            for one in without_ranges(spelled_out(rewrite(rule, step), problems), problems):
                yield Written(rule, one)
        else:
            yield Written(rule, rule)


def resolve_formula(formula: Formula, program: Program) -> Formula:
    """A formula asked about a program, resolved against that program's clock and constants."""
    problems: list[Diagnostic] = []
    functions = {d.signature.predicate: d.signature.arity for d in program.directives if isinstance(d, FunctionImport)}
    resolver = _Resolver(_clock(program, problems), _constants(program, {}, problems), functions, problems)
    resolved = formula_without_ranges(rewrite(formula, resolver.step), problems)
    problems += misplaced([resolved])
    if problems:
        raise Rejected(problems)
    return resolved


def clock_of(program: Program) -> Duration:
    """The length of a time point: what `#clock` says, or one second."""
    return next((d.length for d in program.directives if isinstance(d, Clock)), SECOND)


def _clock(program: Program, problems: list[Diagnostic]) -> Duration:
    clocks = [d for d in program.directives if isinstance(d, Clock)]
    for other in clocks[1:]:
        if other.length.milliseconds != clocks[0].length.milliseconds:
            message = f"The clock is already {show_term(clocks[0].length)}."
            problems.append(Diagnostic("E303", message, "Keep one `#clock` directive.", other.origin))
    return clock_of(program)


def _constants(program: Program, given: Mapping[str, Value], problems: list[Diagnostic]) -> dict[str, Value]:
    """Every constant with its value; one defined by the name of another gets the other's value."""
    own: dict[str, Const] = {}
    for const in (d for d in program.directives if isinstance(d, Const)):
        if const.name in own and own[const.name].value != const.value and const.name not in given:
            message = f"The constant `{const.name}` already has the value {show_value(own[const.name].value)}."
            problems.append(Diagnostic("E304", message, "Keep one of the definitions.", const.origin))
        own.setdefault(const.name, const)
    values: dict[str, Value] = {**{name: const.value for name, const in own.items()}, **given}
    resolved: dict[str, Value] = {}
    for name, first in values.items():
        seen, value = {name}, first
        while isinstance(value, str) and value in values and value not in seen:
            seen.add(value)
            value = values[value]
        if isinstance(value, str) and value in values and values[value] != value:
            origin = own[name].origin if name in own else None
            message = f"The constant `{name}` is defined by itself."
            problems.append(Diagnostic("E304", message, "Give one of the constants a value.", origin))
        resolved[name] = value
    return resolved


class _Resolver:
    """The rewriting step, with everything it needs to know."""

    def __init__(
        self, clock: Duration, constants: Mapping[str, Value], functions: Mapping[str, int], problems: list[Diagnostic]
    ) -> None:
        self._clock = clock
        self._constants = constants
        self._functions = functions
        self._problems = problems

    def step(self, node: Node) -> Node:
        match node:
            case Constant(str(name)) if name in self._constants:
                return replace(node, value=self._constants[name])
            case Duration():
                return Constant(self._points(node), origin=node.origin)
            case Call():
                self._check_call(node)
                return node
            case Pattern(args=args):
                values = (self._constants.get(arg, arg) if isinstance(arg, str) else arg for arg in args)
                return replace(node, args=tuple(values))
            case WindowNode():
                return node.resolved(self)
            case Hold(length=length):
                found = self.time(length, node)
                return node if found is None else replace(node, length=found)
        return node

    def problem(self, code: str, message: str, hint: str, origin: Origin | None) -> None:
        self._problems.append(Diagnostic(code, message, hint, origin))

    def _points(self, duration: Duration) -> int:
        points, rest = divmod(duration.milliseconds, self._clock.milliseconds)
        if rest:
            message = f"{show_term(duration)} is not a multiple of the clock, {show_term(self._clock)}."
            hint = "Use a multiple of the clock, or a finer `#clock`."
            self.problem("E301", message, hint, duration.origin)
        return points

    def _check_call(self, call: Call) -> None:
        if call.function in self._functions:
            least = greatest = self._functions[call.function]
        elif call.function in BUILT_IN:
            least, most = BUILT_IN[call.function]
            greatest = len(call.args) if most is None else most
        else:
            hint = f'Import it with `#function {call.function}/{len(call.args)} from "….py".`'
            self.problem("E308", f"There is no function `{call.function}`.", hint, call.origin)
            return
        if not least <= len(call.args) <= greatest:
            message = f"`{call.function}` takes {least} argument{'' if least == 1 else 's'}, not {len(call.args)}."
            self.problem("E308", message, "Give it the arguments it takes.", call.origin)

    def _number(self, extent: Extent, window: Node) -> int | Unbounded | None:
        """A size as a number; None when it is not one, which has then been reported. Durations are constants by now."""
        match extent:
            case Unbounded():
                return UNBOUNDED
            case int():
                size: Value = extent
            case Constant(value):
                size = value
            case Duration():
                raise AssertionError("children are rewritten first")
        if isinstance(size, int):
            return size
        shown = show_value(size)
        if isinstance(size, str):
            is_unit = size in Duration.MILLISECONDS
            hint = f"A size starts with a number: `[5 {shown}]`." if is_unit else f"Define it: `#const {shown} = 5.`"
            self.problem("E305", f"There is no constant `{shown}`.", hint, window.origin)
        else:
            self.problem("E306", f"A window cannot have the size {shown}.", "Use a whole number.", window.origin)
        return None

    def time(self, extent: Extent, window: Node) -> Extent | None:
        size = self._number(extent, window)
        if isinstance(size, int) and size < 0:
            message = f"A window cannot reach {size} time points."
            self.problem("E306", message, "Write what lies ahead as `[+5]`.", window.origin)
            return None
        return size

    def count(self, extent: Extent, window: Node) -> Extent | None:
        size = self._number(extent, window)
        if isinstance(size, int) and size < 0:
            message = f"A tuple window cannot hold {size} atoms."
            self.problem("E306", message, "Use a positive number.", window.origin)
            return None
        return size
