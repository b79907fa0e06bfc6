"""Random programs about one reading: a predicate that comes from several sources at once, seen through windows.

`t(X,T) :- @T r(X) [2] [3 #].`, where `r(X)` arrives, is held, concluded, pinned, recorded or given: most of what a
window sees hangs on which of these it is, and the head shows each time point of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from larspark.language.facts import Fact, Signature
from larspark.language.tree import (
    UNBOUNDED,
    Aggregate,
    AggregateElement,
    Always,
    At,
    Atom,
    Constant,
    Directive,
    Formula,
    Hold,
    Input,
    Not,
    Now,
    Operation,
    Record,
    Rule,
    Some,
    Term,
    TimeWindow,
    Variable,
    Windowed,
)
from support.generate.draw import Draw
from support.generate.setting import Setting
from support.generate.windows import WindowMaker

X, T, N = map(Variable, "XTN")
READ, BESIDE = Signature("r", 1), Signature("e", 1)
SOURCES = {"arrives": 0.5, "concluded": 0.35, "pinned": 0.35, "held": 0.25, "given": 0.2, "recorded": 0.2}
KINDS = {"time": 4.0, "future": 2.0, "hop": 2.0, "half-open": 1.2, "all": 0.7, "interval": 1.6, "filter": 1.0}
COUNTING = {"tuple": 1.5, "per": 1.2, "session": 1.0}


@dataclass(frozen=True)
class Reading:
    """A program, and what arrives and is given for it."""

    rules: tuple[Rule, ...]
    directives: tuple[Directive, ...]
    arriving: tuple[Signature, ...]
    given: tuple[Fact, ...]


def reading(draw: Draw, setting: Setting) -> Reading:
    sources = {one for one, share in SOURCES.items() if draw.chance(share)} or {"arrives"}
    if not sources & {"concluded", "pinned"}:
        sources -= {"recorded"}
    if not sources - {"given"} or "held" in sources:
        sources |= {"arrives"}
    windows = WindowMaker(draw, setting, lambda: _bound(draw, setting))
    rules: list[Rule] = []
    if "concluded" in sources:
        rules.append(Rule(Atom("r", (X,)), (_near(draw, windows, Atom("e", (X,))),)))
    if "pinned" in sources:
        at = Operation("+", T, Constant(draw.pick([1, 2, 3]))) if draw.chance(0.6) else T
        body = Windowed(TimeWindow(windows.length(draw.pick([0, 1, 2]))), At(T, Atom("e", (X,))))
        rules.append(Rule(At(at, Atom("r", (X,))), (body,)))
    directives: list[Directive] = [one for one in (setting.clock, setting.const) if one]
    derived = bool(rules)
    if (derived and sources & {"arrives", "given"}) or {"arrives", "given"} <= sources:
        directives.append(Input(READ))
    if "held" in sources:
        keys = draw.pick([(), (0,)])
        length = UNBOUNDED if draw.chance(0.15) else windows.length(draw.pick([0, 1, 2, 3]))
        directives.append(Hold(READ, keys, length))
    if "recorded" in sources:
        directives.append(Record(READ))
    rules.append(_rule(draw, setting, windows, counted="arrives" in sources))
    given = tuple(Fact("r", (value,)) for value in draw.random.sample(setting.values, draw.pick([1, 1, 2])))
    arriving = [BESIDE, *([READ] * 2 if "arrives" in sources else [])]
    return Reading(tuple(rules), tuple(directives), tuple(arriving), given if "given" in sources else ())


def _rule(draw: Draw, setting: Setting, windows: WindowMaker, *, counted: bool) -> Rule:
    atom = Atom("r", (X,))
    form = draw.weighted({"at": 4.0, "some": 3.0, "always": 2.0, "now": 1.0})
    inner: Formula = {"at": At(T, atom), "some": Some(atom), "always": Always(atom), "now": atom}[form]
    if form != "now":
        kinds = KINDS | COUNTING if counted else KINDS
        chain = [windows.wide(draw.weighted(kinds), READ) for _ in range(draw.pick([1, 1, 1, 2]))]
        for window in reversed(chain):
            inner = Windowed(window, inner)
    beside = _near(draw, windows, Atom("e", (X,)))
    match draw.weighted({"shown": 4.0, "denied": 1.5, "counted": 1.0, "pinned": 1.0, "beside": 1.0}):
        case "denied" if form != "at":
            return Rule(Atom("s", (X,)), (beside, Not(inner)))
        case "counted":
            element = AggregateElement((X, T) if form == "at" else (X,), (inner,))
            return Rule(Atom("s", (N,)), (Aggregate(draw.pick(["count", "sum", "max"]), "=", N, (element,)),))
        case "pinned" if form == "at":
            return Rule(At(Operation("+", T, Constant(draw.pick([0, 1, 2]))), Atom("s", (X,))), (inner,))
        case "beside":
            return Rule(Atom("t", (X, T if form == "at" else X)), (inner, beside))
    return Rule(Atom("t", (X, T if form == "at" else Now() if draw.chance(0.2) else X)), (inner,))


def _near(draw: Draw, windows: WindowMaker, atom: Atom) -> Formula:
    return Windowed(TimeWindow(windows.length(draw.pick([0, 1, 2, 3]))), Some(atom))


def _bound(draw: Draw, setting: Setting) -> Term:
    if draw.chance(0.5):
        return Operation("-", Now(), Constant(draw.pick([0, 1, 2])))
    return Constant(setting.start + draw.pick([0, 1, 3, 5, 8]))
