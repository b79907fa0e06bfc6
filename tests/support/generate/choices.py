"""Random rules between which answer streams choose: even loops, alternatives, and knots of both."""

from __future__ import annotations

from collections.abc import Sequence

from larspark.language.facts import Signature
from larspark.language.tree import At, Atom, Constant, Formula, Not, Or, Rule, Some, TimeWindow, Variable, Windowed
from larspark.language.values import Value
from support.generate.draw import Draw
from support.generate.rules import RuleMaker
from support.generate.setting import Setting
from support.generate.shape import INPUT, RARE_INPUT, Shape


def choice(draw: Draw, shape: Shape, setting: Setting) -> list[Rule]:
    """`p :- trigger, not q.` and `q :- trigger, not p.`, perhaps at the time of the trigger."""
    maker = RuleMaker(draw, shape, setting, 0, frozenset())
    trigger = maker.literal(RARE_INPUT, binds=True)  # a choice per arrival doubles the answer streams each time
    signatures = draw.random.sample(shape.derived, 2)
    pinned = draw.pick(maker.times) if shape.pinned_heads and maker.times else None
    heads: list[Formula] = []
    for signature in signatures:
        atom = maker.head_atom(signature)
        heads.append(At(Variable(pinned), atom) if pinned else atom)
    rules = [Rule(heads[0], (trigger, Not(heads[1]))), Rule(heads[1], (trigger, Not(heads[0])))]
    if draw.chance(0.5):  # for a while there is no choice, and what held then is kept
        forced = Windowed(TimeWindow(maker.windows.length(draw.pick([0, 0, 1]))), Some(Atom("a")))
        rules.append(Rule(draw.pick(heads), (trigger, forced)))
    return rules


def alternatives(draw: Draw, shape: Shape, setting: Setting) -> list[Rule]:
    """`q | @(now + 1) p :- trigger.` and `p :- other.`: at its time, the second head is the head of another rule."""
    maker = RuleMaker(draw, shape, setting, 0, frozenset())
    one, other = (Atom(name.predicate, tuple(maker.value() for _ in range(name.arity))) for name in _two(draw, shape))
    near = Constant(setting.start + draw.pick([1, 2, 3, 4, 6]))
    heads: list[Formula] = [one, At(near if draw.chance(0.7) else maker.moment(), other)]
    draw.random.shuffle(heads)
    longer, shorter = (_lasting(maker, draw.pick(lengths)) for lengths in ([5, 9], [0, 1, 2]))
    return [Rule(Or(tuple(heads)), (longer,)), Rule(other, (shorter,))]


def _lasting(maker: RuleMaker, length: int) -> Formula:
    """`e(_) [5]`."""
    signature = maker.draw.pick(INPUT[:3])
    atom = Atom(signature.predicate, tuple(maker.any_value() for _ in range(signature.arity)))
    return Windowed(TimeWindow(maker.windows.length(length)), Some(atom))


def _two(draw: Draw, shape: Shape) -> Sequence[Signature]:
    return draw.random.sample(shape.derived, 2)


def knot(draw: Draw, shape: Shape, setting: Setting) -> list[Rule]:
    """Some atoms of one time point that rest on each other, negated or not, each rule while its trigger lasts.

    What of the others changes when a trigger comes or goes is what searches keep account of.
    """
    values = setting.values[:3]
    ground = [Atom(one.predicate, args) for one in shape.derived[:3] for args in _ground(one.arity, values)]
    atoms = draw.random.sample(ground, draw.pick([4, 5]))
    rules, negated = [], draw.pick([0.4, 0.75])
    for atom in (*atoms, *draw.some(atoms, 0.6)):
        others = draw.random.sample([other for other in atoms if other != atom], draw.pick([1, 2, 2, 3]))
        body: list[Formula] = [Not(other) if draw.chance(negated) else other for other in others]
        if draw.chance(0.7):
            body.append(_trigger(draw, setting))
        draw.random.shuffle(body)
        rules.append(Rule(atom, tuple(body)))
    return rules


def _ground(arity: int, values: Sequence[Value]) -> Sequence[tuple[Constant, ...]]:
    return [tuple(Constant(value) for _ in range(arity)) for value in values[: 2 * arity + 1]]


def _trigger(draw: Draw, setting: Setting) -> Formula:
    signature = draw.pick(INPUT[:3])
    atom = Atom(signature.predicate, tuple(Constant(draw.pick(setting.values)) for _ in range(signature.arity)))
    found = Windowed(TimeWindow(draw.pick([0, 0, 1, 2])), Some(atom))
    return Not(found) if draw.chance(0.2) else found
