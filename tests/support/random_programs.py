"""Random programs with random streams: small, safe, and rich in conclusions.

The old shapes are narrow: what other tools and second routes understand, too. The wide ones have every construct of
the tree in every position where it may stand; `test_every_node.py` sees to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from random import Random

from larspark.language.calendar import Calendar
from larspark.language.evaluate import Functions
from larspark.language.facts import Fact, Signature
from larspark.language.printing.printer import show
from larspark.language.traversal import atoms, walk
from larspark.language.tree import (
    Aggregate,
    Always,
    Atom,
    Constant,
    Formula,
    Input,
    Prefer,
    Program,
    Ranked,
    Record,
    Rule,
    Term,
    Truth,
    Variable,
    Windowed,
)
from larspark.language.values import Value, calculate
from larspark.semantics.streams import Stream
from support.generate import choices, families, readings
from support.generate.data import dense_stream, random_stream, wide_stream
from support.generate.directives import derived_by, wide_directives, with_temporal_argument
from support.generate.draw import Draw
from support.generate.firing import Fired, firing
from support.generate.focused import focused
from support.generate.names import names, renamed, renamed_fact
from support.generate.rules import RuleMaker
from support.generate.setting import Setting, input_of, narrow_setting, wide_setting
from support.generate.shape import (
    BACKGROUND,
    DERIVED,
    FREQUENT_INPUT,
    INPUT,
    OVER_ANYTHING,
    OVER_INPUT,
    VALUES,
    Shape,
)
from support.generate.terms import IMPORTED

__all__ = [
    "CALENDAR",
    "DERIVED",
    "FUNCTIONS",
    "INPUT",
    "OVER_ANYTHING",
    "OVER_INPUT",
    "VALUES",
    "Scenario",
    "Shape",
    "focused_scenario",
    "random_scenario",
    "random_stream",
]


def _twice(value: Value) -> Value:
    return calculate("*", value, 2)


FUNCTIONS: Functions = {IMPORTED: _twice}
"""What `#function` imports in random programs."""
CALENDAR = Calendar(datetime(2024, 2, 28, 23, 59, 55, tzinfo=UTC))
"""Five seconds before midnight."""


FIRED = 0.8
"""The part of the streams with arrivals that make rules fire."""
READINGS = 0.4
"""The part of the dense programs that are about one reading."""
AGGREGATED = 3
"""What is aggregated arrives so many times as often as what is read otherwise."""


@dataclass(frozen=True, repr=False)
class Scenario:
    """A program, background data, and a stream with an open end."""

    program: Program
    stream: Stream
    background: tuple[Fact, ...]

    @property
    def times(self) -> range:
        """The evaluation times worth looking at: some points longer than the data."""
        return range(self.stream.start, self.stream.last + 5)

    def __repr__(self) -> str:
        arrivals = " ".join(f"{time}:{fact}" for time, fact in self.stream.input)
        known = " ".join(map(str, self.background))
        return f"\n{show(self.program)}\n% from {self.stream.start}: {arrivals}\n% background: {known}\n"


def random_scenario(random: Random, shape: Shape) -> Scenario:
    """A program with a stream of up to some 14 arrivals over some 12 time points, in bursts or with gaps."""
    draw = Draw(random)
    setting = wide_setting(draw, shape) if shape.wide else narrow_setting(draw, shape)
    if shape.dense and draw.chance(READINGS):
        return _renamed(_read_alone(draw, setting), draw)
    rules = tuple(_rules(draw, shape, setting))
    preferences = tuple(_preferences(draw, shape, setting, derived_by(rules)))
    finish = _wide if shape.wide else _narrow
    found = finish(draw, shape, setting, rules, preferences)
    return _renamed(found, draw) if shape.wide else found


def focused_scenario(random: Random, number: int) -> Scenario:
    """A small program about one thing, with a stream around the borders of its windows."""
    program, start, arrivals, background = focused(Draw(random), number)
    return Scenario(program, Stream.of(start, None, arrivals), background)


def _renamed(scenario: Scenario, draw: Draw) -> Scenario:
    by = names(draw)
    arrivals = [(time, renamed_fact(fact, by)) for time, fact in scenario.stream.input]
    return Scenario(
        renamed(scenario.program, by),
        Stream.of(scenario.stream.start, None, arrivals),
        tuple(renamed_fact(fact, by) for fact in scenario.background),
    )


def _narrow(
    draw: Draw, shape: Shape, setting: Setting, rules: tuple[Rule, ...], preferences: tuple[Prefer, ...]
) -> Scenario:
    known = draw.pick([(), ("x",), ("x", 1)]) if shape.background else ()
    facts = tuple(Fact(BACKGROUND.predicate, (value,)) for value in known)
    if not shape.arriving:
        arriving, least = (INPUT[:3], 8) if shape.knots else (FREQUENT_INPUT, 1)
        program = Program(rules, preferences)
        fired = _fired(draw, shape, setting, program)
        stream = random_stream(draw.random, setting.start, arriving, least, fired.arrivals)
        return Scenario(program, stream, (*facts, *fired.background))
    both = [signature for signature in derived_by(rules) if signature in setting.arriving]
    given = input_of(draw, 0.15)
    facts += tuple(setting.fact(draw, signature) for signature in given)
    recorded = [Record(signature) for signature in draw.some(derived_by(rules), 0.3)]
    program = Program(rules, (*preferences, *map(Input, (*both, *given)), *recorded))
    fired = _fired(draw, shape, setting, program)
    stream = random_stream(draw.random, setting.start, (*FREQUENT_INPUT, *both * 3), fired=fired.arrivals)
    return Scenario(program, stream, (*facts, *fired.background))


def _wide(
    draw: Draw, shape: Shape, setting: Setting, rules: tuple[Rule, ...], preferences: tuple[Prefer, ...]
) -> Scenario:
    """The arrivals are those that the rules read, mostly."""
    given = input_of(draw, 0.1) if shape.background and draw.chance(0.3) else []
    facts = tuple(setting.fact(draw, signature) for signature in (*[BACKGROUND] * draw.pick([0, 1, 2]), *given))
    directives = wide_directives(draw, setting, rules, given)
    rules += _upon_records([one.signature for one in directives if isinstance(one, Record)], draw, shape, setting)
    program = Program(rules, (*directives, *preferences))
    derived = derived_by(rules)
    if derived and draw.chance(0.06):
        program = with_temporal_argument(program, draw.pick(derived))
    read = Counter(atom.signature for reader in program.readers for atom in _read(reader.body))
    named = [one for one in (*INPUT, *sorted(setting.arriving)) for _ in range(read[one] or draw.chance(0.1))]
    least = 5 if any(read[one] >= AGGREGATED for one in named) else 1
    fired = _fired(draw, shape, setting, program)
    if shape.dense:
        named = [one for one in named if read[one]] or [*INPUT]
        return Scenario(program, dense_stream(draw, setting, named, fired.arrivals), (*facts, *fired.background))
    stream = wide_stream(draw, setting, named or INPUT, least, fired.arrivals)
    return Scenario(program, stream, (*facts, *fired.background) if shape.background else ())


def _read_alone(draw: Draw, setting: Setting) -> Scenario:
    """A program about one reading."""
    made = readings.reading(draw, setting)
    return Scenario(Program(made.rules, made.directives), dense_stream(draw, setting, made.arriving), made.given)


def _fired(draw: Draw, shape: Shape, setting: Setting, program: Program) -> Fired:
    if shape.knots or not draw.chance(FIRED):
        return Fired()
    return firing(draw, setting, program, {*INPUT, *setting.arriving}, {BACKGROUND} if shape.background else set())


def _read(body: Sequence[Formula]) -> Iterator[Atom]:
    """What arrives is read; an atom that is aggregated, or that has to hold always, comes several times."""
    for part in body:
        often = any(isinstance(node, Aggregate | Ranked | Always) for node in walk(part))
        for atom in atoms(part):
            yield from [atom] * (AGGREGATED if often else 1)


# -- rules -----------------------------------------------------------------------------------------


def _rules(draw: Draw, shape: Shape, setting: Setting) -> list[Rule]:
    levels = sorted(draw.random.randrange(len(shape.derived)) for _ in range(draw.random.randint(1, shape.rules)))
    rules = []
    if shape.knots:
        rules, levels = choices.knot(draw, shape, setting), [len(shape.derived) - 1]
    for position, level in enumerate(levels):
        known = levels if shape.negation == "free" else levels[:position]
        known = range(level + 1) if shape.knots else known
        rules.append(RuleMaker(draw, shape, setting, level, frozenset(known)).rule())
    if shape.negation == "free" and not shape.knots and (shape.preferences or draw.chance(0.5)):
        rules += choices.choice(draw, shape, setting)
    if shape.disjunction and shape.wide and draw.chance(0.5):
        rules += choices.alternatives(draw, shape, setting)
    if shape.wide and draw.chance(0.1):
        rules += families.met(draw, setting)
    if shape.wide and draw.chance(0.05):
        rules += families.closure(draw, shape, setting)
    if shape.wide and draw.chance(0.05):
        rules += families.steady(draw, setting)
    if shape.wide and shape.aggregates and draw.chance(0.1):
        rules += families.grouped(draw, setting)
    if shape.wide and shape.constraints and draw.chance(0.08):
        rules += families.forbidden(draw, setting)
    draw.random.shuffle(rules)
    return rules


def _upon_records(recorded: Sequence[Signature], draw: Draw, shape: Shape, setting: Setting) -> tuple[Rule, ...]:
    """Constraints, so that now and then nothing is recorded; windows that hop over what was."""
    found: list[Rule] = []
    levels = range(len(shape.derived))
    if recorded and shape.constraints and draw.chance(0.3):
        maker = RuleMaker(draw, shape, setting, levels[-1], frozenset())
        found.append(Rule(Truth(False), (maker.literal(INPUT, binds=True),)))
    below = [signature for signature in recorded if signature != shape.derived[-1]]
    if below and draw.chance(0.5):
        maker = RuleMaker(draw, shape, setting, levels[-1], frozenset(levels[:-1]))
        inner = maker.quantified(
            draw.pick(["some", "at-window"]), maker.body_atom(draw.pick(below), binds=True), binds=True, is_input=False
        )
        read = Windowed(maker.windows.wide("hop", below[0]), inner)
        found.append(Rule(maker.head_atom(shape.derived[-1]), (read,)))
    return tuple(found)


def _preferences(draw: Draw, shape: Shape, setting: Setting, derived: Sequence[Signature]) -> list[Prefer]:
    number = draw.random.randint(1, shape.preferences) if shape.preferences and derived else 0
    return [_preference(draw, shape, setting, derived) for _ in range(number)]


def _preference(draw: Draw, shape: Shape, setting: Setting, derived: Sequence[Signature]) -> Prefer:
    """Some conclusion, often with more conditions; weights are variables or constants of all kinds, even useless."""
    levels = range(len(shape.derived))
    maker = RuleMaker(draw, replace(shape, aggregates=True), setting, levels[-1], frozenset(levels))
    body = (maker.literal(derived, binds=True), *(maker.rule().body if draw.chance(0.4) else ()))
    bound: list[Term] = [Variable(name) for name in maker.bound]
    weights: list[Value] = [1, 1, 2, 3, -1, -2, Decimal("0.5"), "x"]
    weight: Term = draw.pick(bound) if bound and draw.chance(0.3) else Constant(draw.pick(weights))
    terms = draw.some(bound, 0.5)
    if shape.wide and draw.chance(0.25):
        weight = draw.pick([maker.leaf(maker.bound), maker.computed()])
    if shape.wide and draw.chance(0.3):
        terms.append(draw.pick([maker.leaf(maker.bound), maker.computed()]))
    return Prefer(weight, draw.pick([0, 0, 1, 2]), tuple(terms), body)
