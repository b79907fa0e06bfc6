"""Laws of entailment, on random formulas and streams."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest

from larspark.language.traversal import substitute, variables, walk
from larspark.language.tree import (
    Always,
    And,
    At,
    Atom,
    Constant,
    Formula,
    IntervalWindow,
    Not,
    Or,
    RegisteredWindow,
    Some,
    TimeWindow,
    TupleWindow,
    Variable,
    Windowed,
)
from larspark.semantics import entailment, horizon
from larspark.semantics.queries import answers, holds
from larspark.semantics.streams import Stream
from larspark.semantics.structures import Structure
from larspark.semantics.windows import apply
from support.notation import fact
from support.random_formulas import ATOMS, random_data, random_formula

SEEDS = range(400)


def test_the_horizon_of_an_open_timeline_is_far_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking 30 points further never changes an answer."""
    questions = []
    for seed in SEEDS:
        random = Random(seed)
        stream, formula = random_data(random, None), random_formula(random, 3)
        m = Structure.of(stream)
        times = random.sample(range(stream.start, 18), 2)
        questions.append((m, times, formula, [holds(m, time, formula) for time in times]))
    near = horizon.horizon
    monkeypatch.setattr(horizon, "horizon", lambda *args: near(*args) + 30)
    for m, times, formula, found in questions:
        assert [holds(m, time, formula) for time in times] == found, formula


def test_an_open_timeline_has_no_last_point() -> None:
    m = Structure.of(Stream.of(0, None, [(time, fact("a")) for time in range(5)]))
    assert not holds(m, 2, Always(Atom("a")))
    assert holds(m, 2, Some(Always(Not(Atom("b")))))
    assert holds(m, 2, Windowed(TimeWindow(9), Always(Atom("a"))))
    assert holds(m, 9, Some(Windowed(TimeWindow(0, 3), Always(Not(Atom("a"))))))


def test_only_the_last_modality_matters() -> None:
    """thesis-modal: without a window in between, on a non-empty timeline."""
    for seed in SEEDS:
        random = Random(seed)
        stream, body = random_data(random, 14), random.choice(ATOMS)
        inner = random.choice([Some(body), Always(body), At(Constant(random.randint(stream.start, 14)), body)])
        outer = random.choice([Some(inner), Always(inner), At(Constant(random.randint(stream.start, 14)), inner)])
        m = Structure.of(stream)
        assert holds(m, 9, outer) is holds(m, 9, inner)


def test_a_historic_query_can_be_replayed() -> None:
    """thesis-at-replay (Example 23)."""
    for seed in SEEDS:
        random = Random(seed)
        stream, formula = random_data(random, 14), random_formula(random)
        then, now = (random.randint(stream.start, 14) for _ in range(2))
        m = Structure.of(stream)
        assert holds(m, now, At(Constant(then), formula)) is holds(m, then, formula)


@pytest.mark.parametrize("end", [None, 14])
def test_negation_is_dual(end: int | None) -> None:
    """laser-neg-diamond, laser-neg-box, thesis-laser-dual; laser-neg-at inside the window only."""
    for seed in SEEDS:
        random = Random(seed)
        stream, atom = random_data(random, end), random.choice(ATOMS)
        window = random.choice([TimeWindow(random.randint(0, 5)), TupleWindow(random.randint(1, 4))])
        m, time = Structure.of(stream), random.randint(stream.start, 14)

        def windowed(body: Formula) -> bool:
            return holds(m, time, Windowed(window, body))  # noqa: B023 used in this turn of the loop only

        assert windowed(Some(atom)) is not windowed(Always(Not(atom)))
        assert windowed(Always(atom)) is not windowed(Some(Not(atom)))
        at = Constant(random.randint(0, 14))
        if windowed(At(at, Or((atom, Not(atom))))):
            assert windowed(At(at, atom)) is not windowed(At(at, Not(atom)))


def test_the_number_of_substreams_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """thesis-s3.3.3-bound: m window operators nested d deep select at most (m·n)^d streams on n time points."""
    selected: list[Stream] = []

    def recording(*args: Any) -> Stream:
        found = apply(*args)
        if found not in selected:
            selected.append(found)
        return found

    monkeypatch.setattr(entailment, "apply", recording)
    for seed in range(100):
        random = Random(seed)
        stream, formula = random_data(random, 14), random_formula(random)
        selected.clear()
        holds(Structure.of(stream), 9, formula)
        operators = sum(isinstance(part, Windowed) for part in walk(formula))
        assert len(selected) <= (operators * (15 - stream.start)) ** entailment.window_depth(formula)


def test_interval_operators_do_not_depend_on_the_evaluation_time() -> None:
    """thesis-lem14."""
    for seed in SEEDS:
        random = Random(seed)
        stream, start = random_data(random, 14), random.randint(0, 9)
        inside = Windowed(IntervalWindow(Constant(start), Constant(start + 3)), Always(random.choice(ATOMS)))
        borders = [At(Constant(at), Not(random.choice(ATOMS))) for at in (start - 1, start + 4)]
        formula, m = And((inside, *borders)), Structure.of(stream)
        assert len({holds(m, time, formula) for time in range(stream.start, 15)}) == 1


def test_quantified_boolean_formulas() -> None:
    """thesis-thm7: ◇ and □ over windows that set a variable decide quantified formulas."""
    for seed in range(60):
        random = Random(seed)
        names = [f"x{position}" for position in range(3)]
        quantifiers = [random.choice([any, all]) for _ in names]
        clauses = [[(random.choice(names), random.random() < 0.5) for _ in range(2)] for _ in range(3)]
        formula: Formula = And(tuple(Or(tuple(_literal(*literal) for literal in clause)) for clause in clauses))
        for name, quantifier in reversed(list(zip(names, quantifiers, strict=True))):
            below = Windowed(RegisteredWindow("set", (name,)), formula)
            formula = Some(below) if quantifier is any else Always(below)
        arrivals = [(time, fact(name)) for time, name in product((0, 1), names)]
        m = Structure.of(Stream.of(0, 1, arrivals))
        expected = _decide(dict(zip(names, quantifiers, strict=True)), clauses, {})
        assert holds(m, 0, formula) is expected
        assert holds(m, 1, formula) is expected


def _literal(name: str, positive: bool) -> Formula:
    return Atom(name) if positive else Not(Atom(name))


def _decide(
    open_quantifiers: dict[str, object], clauses: list[list[tuple[str, bool]]], chosen: dict[str, bool]
) -> bool:
    if not open_quantifiers:
        return all(any(chosen[name] is positive for name, positive in clause) for clause in clauses)
    name, *others = open_quantifiers
    rest = {other: open_quantifiers[other] for other in others}
    branches = [_decide(rest, clauses, {**chosen, name: truth}) for truth in (False, True)]
    return any(branches) if open_quantifiers[name] is any else all(branches)


def test_model_checking_as_satisfiability() -> None:
    """thesis-thm8: the stream as a conjunction of @-literals has exactly one model, itself."""
    for seed in range(100):
        random = Random(seed)
        stream = random_data(random, 14)
        description = And(
            tuple(
                At(Constant(time), atom if fact(_text(atom)) in stream.at(time) else Not(atom))
                for time in range(stream.start, 15)
                for atom in ATOMS
            )
        )
        assert holds(Structure.of(stream), 7, description)
        other = stream.with_derived({9: frozenset({fact("b")}), 10: frozenset({fact("e(x)")})})
        assert holds(Structure.of(other), 7, description) is (other.facts() == stream.facts())


def _text(atom: Atom) -> str:
    return atom.predicate + ("(x)" if atom.args else "")


def test_answers_are_exactly_the_ground_instances_that_hold() -> None:
    """Def. 14, by trying every substitution over the constants and the timeline."""
    atoms = [Atom("e", (Variable("X"),)), Atom("f", (Variable("X"), Variable("Y"))), Atom("a")]
    for seed in range(150):
        random = Random(seed)
        arrivals = [
            (random.randint(0, 6), fact(random.choice(["a", "e(x)", "e(y)", "f(x,y)", "f(y,y)"]))) for _ in range(8)
        ]
        m = replace(Structure.of(Stream.of(0, 6, arrivals)), domain=frozenset({"x", "y"}))
        formula = _open_formula(random, atoms, 3)
        found = {frozenset(answer.items()) for answer in answers(m, 4, formula)}
        assert found == _by_trying(m, 4, formula), formula


def _open_formula(random: Random, atoms: list[Atom], depth: int) -> Formula:
    if depth == 0:
        return random.choice(atoms)
    body = _open_formula(random, atoms, depth - 1)
    return random.choice(
        [
            body,
            Not(body),
            Some(body),
            Always(body),
            And((body, _open_formula(random, atoms, depth - 1))),
            Or((body, _open_formula(random, atoms, depth - 1))),
            At(random.choice([Variable("T"), Constant(3)]), body),
            Windowed(TimeWindow(random.randint(0, 3)), body),
            Windowed(TupleWindow(random.randint(1, 3)), body),
        ]
    )


def _by_trying(m: Structure, time: int, formula: Formula) -> set[frozenset[tuple[str, object]]]:
    used = sorted({variable.name for variable in variables(formula)})
    ranges = [range(7) if name == "T" else ("x", "y") for name in used]
    tried = (dict(zip(used, chosen, strict=True)) for chosen in product(*ranges))
    return {
        frozenset(binding.items())
        for binding in tried
        if holds(m, time, substitute(formula, {name: Constant(found) for name, found in binding.items()}))
    }
