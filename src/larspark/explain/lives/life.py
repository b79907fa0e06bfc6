"""How long an atom holds: since when, until when if nothing arrives, what would keep it and what would end it.

What is not plain from sliding windows alone (`renewal.py`) is found by evaluating: the proof only says what is worth a
try.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from larspark.explain.evaluations.history import Span
from larspark.explain.evaluations.world import EvaluationSetting, World
from larspark.explain.lives.renewal import stays_with
from larspark.explain.lives.trials import Trials
from larspark.explain.proofs.proof import Ending, Life, Proof, read_value
from larspark.language.facts import Fact, fact_order
from larspark.language.parser import parse_fact
from larspark.language.traversal import atoms, walk
from larspark.language.tree import (
    At,
    Atom,
    Constant,
    Formula,
    IntervalWindow,
    Not,
    PartitionWindow,
    Program,
    Rule,
    TupleWindow,
)
from larspark.language.values import Value
from larspark.semantics.horizon import extents

TRIED = 12
"""Arrivals of the proof that are tried, at most."""
SOME = 3
"""The same in a running engine, which has no time to lose."""


def horizon(program: Program, time: int) -> int:
    """An evaluation by which all that depends on windows over what has arrived has happened."""
    reach, period, _ = extents(program)
    named = [0]
    for part in walk(program):
        if isinstance(part, At | IntervalWindow):
            named += (one.value for one in walk(part) if isinstance(one, Constant) and isinstance(one.value, int))
    return time + reach + 2 * period + max(named) + 1


def life(trials: Trials, world: World, proof: Proof, most: int | None = None) -> Life:
    """The life of the conclusion, as it is known at the evaluation; at most so many further ones are tried."""
    question, time = proof.question, world.time
    if question.at is not None and proof.nodes[0].kind not in ("rule", "recorded"):  # what has arrived stays
        return Life((question.at, time), endless=True)
    end = horizon(world.setting.program, time)
    if most is not None:
        end = min(end, time + most)
    idle = trials.idle(end)
    since, _ = _around(trials.spans(world.history), time)
    _, last = _around(trials.spans(idle, before=world.history), time)
    span, endless = (since, min(last, end)), last >= end
    going_on = () if endless else tuple(_continuing(trials, world, proof, span))
    return Life(span, endless, going_on, tuple(_ending(trials, world, proof)))


def _around(spans: Iterable[Span], time: int) -> Span:
    return next((one for one in spans if one[0] <= time <= one[1]), (time, time))


def _continuing(trials: Trials, world: World, proof: Proof, span: Span) -> Iterator[tuple[Fact, Span]]:
    """Arrivals that are part of the proof: would one more of them, before or when it ends, let it go on?"""
    now, ends = world.time, span[1] + 1
    for fact in _arrived(proof)[: SOME if world.setting.outlook else TRIED]:
        if fact != proof.question.fact and _is_seen(world, fact, ends):
            continue
        known = stays_with(world.setting, trials.relevance, proof, fact, ends)
        if known or trials.holds_with(ends, fact, ends):  # before that it holds anyway
            first = ends
            if first > now + 1 and (
                _lasts(trials, world, fact, ends) or trials.holds_with(now + 1, fact, now + 1, ends)
            ):
                first = now + 1
            yield fact, (first, ends)
        elif world.setting.outlook is None and fact.signature not in world.setting.sliding:
            kept = _in_time(trials, now, fact, ends)
            if kept is not None:
                yield fact, kept


def _in_time(trials: Trials, now: int, fact: Fact, ends: int) -> Span | None:
    """When an arrival would keep it, where one at the end comes too late: half-open windows, and sessions."""
    first = ends
    while first - 1 > now and ends - first < TRIED and trials.holds_with(first - 1, fact, first - 1, ends):
        first -= 1
    return None if first == ends else (first, ends - 1)


def _lasts(trials: Trials, world: World, fact: Fact, ends: int) -> bool:
    """Whether an arrival at the next evaluation does what one at the end does: what reads it still sees it then.

    Where nothing is negated, counted or compared by time, an atom more takes nothing away on the way.
    """
    length = world.setting.sliding.get(fact.signature)
    return length is not None and world.time + 1 >= ends - length and trials.relevance.positive


def _is_seen(world: World, fact: Fact, time: int) -> bool:
    """Whether all that reads an atom still sees an earlier arrival of it, so that another one changes nothing."""
    length = world.setting.sliding.get(fact.signature)
    return length is not None and any(True for _ in world.setting.index.of_fact(fact, time - length, world.time))


def _arrived(proof: Proof) -> list[Fact]:
    """The atoms that arrived, those first of which nothing came for the longest time: they leave first."""
    last: dict[str, int] = {}
    for node in proof.nodes:
        if node.kind in ("input", "held"):
            atom = node.details["atom"]
            times = node.details["at" if node.kind == "input" else "arrived"]
            last[atom] = max(last.get(atom, 0), times[-1][1])
    ordered = sorted(((time, parse_fact(atom)) for atom, time in last.items()), key=_oldest)
    return [fact for _, fact in ordered]


def _oldest(arrived: tuple[int, Fact]) -> tuple[int, object]:
    return arrived[0], fact_order(arrived[1])


def _ending(trials: Trials, world: World, proof: Proof) -> Iterator[Ending]:
    """What must not be there, and what takes the place of something: would one arrival of it end the atom at once?"""
    for ending, fact in _excluded(world.setting, proof):
        if not trials.holds_with(world.time, fact, world.time):
            yield ending


def _excluded(setting: EvaluationSetting, proof: Proof) -> Iterable[tuple[Ending, Fact]]:
    """In the rules of the proof, as atoms that may arrive."""
    found: dict[str, tuple[Ending, Fact]] = {}
    known: dict[int, list[tuple[Atom, frozenset[str] | None]]] = {}
    for node in proof.nodes:
        if node.kind != "rule":
            continue
        index = node.details["rule"]["index"]
        bindings = {name: read_value(value) for name, value in node.details["bindings"].items()}
        if index not in known:
            known[index] = list(ending_atoms(setting, setting.program.rules[index]))
        for atom, names in known[index]:
            own = bindings if names is None else {name: bindings[name] for name in names & bindings.keys()}
            shown, fact = _example(atom, own)
            found.setdefault(shown, (Ending(shown, names is not None), fact))
    return list(found.values())[:TRIED]


def ending_atoms(setting: EvaluationSetting, rule: Rule) -> Iterator[tuple[Atom, frozenset[str] | None]]:
    """What is negated; and what takes the place of something, with the variables that both have in common."""
    for literal in rule.body:
        for atom in atoms(literal):
            keys = None if isinstance(literal, Not) else _keys(setting, literal, atom)
            if atom.signature not in setting.intensional and (isinstance(literal, Not) or keys is not None):
                yield atom, None if keys is None else frozenset(getattr(atom.args[one], "name", "") for one in keys)


def _keys(setting: EvaluationSetting, literal: Formula, atom: Atom) -> Iterable[int] | None:
    """The arguments by which a window, or what is held, tells arrivals apart; None where nothing is replaced."""
    for hold in setting.holds:
        if hold.signature == atom.signature:
            return hold.keys
    for part in walk(literal):
        match part:
            case TupleWindow():
                return ()
            case PartitionWindow():
                return part.keys_of(atom.signature)
    return None


def _example(atom: Atom, bindings: Mapping[str, Value]) -> tuple[str, Fact]:
    """An atom in words, and one of its kind; what is left open may have any value."""
    values: list[Value] = []
    words: list[str] = []
    for arg in atom.args:
        known = arg.value if isinstance(arg, Constant) else bindings.get(getattr(arg, "name", ""))
        values.append("any" if known is None else known)
        words.append("_" if known is None else str(Fact("x", (known,)))[2:-1])
    shown = f"{Fact(atom.predicate)}({','.join(words)})" if words else str(Fact(atom.predicate))
    return shown, Fact(atom.predicate, tuple(values))
