from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from larspark.language import tree
from larspark.language.facts import Fact
from larspark.semantics.queries import holds as lars_holds
from larspark.semantics.streams import Stream
from larspark.semantics.structures import Structure
from larspark.translations.ltl.formulas import (
    FALSE,
    TRUE,
    LtlAnd,
    LtlImplies,
    LtlNot,
    LtlOr,
    LtlTruth,
    Next,
    Pltl,
    Previous,
    Proposition,
    Since,
    Until,
    eventually,
    globally,
    historically,
    nesting_of_previous,
    once,
    shift,
)
from larspark.translations.ltl.from_lars import at_time_point, for_any_stream
from larspark.translations.ltl.parser import LtlStatement, parse
from larspark.translations.ltl.paths import OUTSIDE, Path, holds, path_of, truth_along, truth_outside
from larspark.translations.ltl.printer import show
from larspark.translations.ltl.to_lars import translate
from support.tiers import partly
from support.translated import judged

FACTS = [Fact("a"), Fact("b"), Fact("position"), Fact("c", ("x y", 3))]

atoms = st.sampled_from(FACTS)
propositions = st.sampled_from([*FACTS, *FACTS, OUTSIDE]).map(Proposition)
contents = st.dictionaries(st.integers(0, 6), st.frozensets(atoms, max_size=3), max_size=6)


def larger(inner: st.SearchStrategy[Pltl]) -> st.SearchStrategy[Pltl]:
    unary = [LtlNot, Next, Previous, eventually, globally, once, historically]
    binary = [LtlImplies, Until, Since]
    several = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return st.one_of(
        *(st.builds(build, inner) for build in unary),
        *(st.builds(build, inner, inner) for build in binary),
        st.builds(LtlAnd, several),
        st.builds(LtlOr, several),
    )


formulas = st.recursive(st.one_of(propositions, st.sampled_from([TRUE, FALSE])), larger, max_leaves=6)


@partly(320)
@given(formulas, contents)
def test_the_program_derives_the_truth_at_every_position(formula: Pltl, content: dict[int, frozenset[Fact]]) -> None:
    program = translate([LtlStatement("holds", formula)])
    arrivals = [(time, fact) for time, facts in sorted(content.items()) for fact in sorted(facts, key=str)]
    for now in range(7):
        expected = truth_along(path_of(0, now, content), formula)
        answer = judged(program, arrivals, now)
        assert [Fact("holds") in answer.output(time) for time in range(now + 1)] == expected


def literal_truth(path: Path, position: int, formula: Pltl, end: int) -> bool:
    """π, position ⊨ formula word for word, on a path so long that what is behind `end` changes nothing any more."""

    def at(there: int, part: Pltl) -> bool:
        return literal_truth(path, there, part, end)

    match formula:
        case Proposition(fact):
            return fact in path[position] if position < len(path) else fact == OUTSIDE
        case LtlTruth(value):
            return value
        case LtlNot(body):
            return not at(position, body)
        case LtlAnd(parts):
            return all(at(position, part) for part in parts)
        case LtlOr(parts):
            return any(at(position, part) for part in parts)
        case LtlImplies(left, right):
            return not at(position, left) or at(position, right)
        case Next(body):
            return at(position + 1, body)
        case Previous(body):
            return position > 0 and at(position - 1, body)
        case Until(left, right):
            reached = range(position, max(position, end) + 1)
            return any(at(j, right) and all(at(k, left) for k in range(position, j)) for j in reached)
        case Since(left, right):
            reached = range(position + 1)
            return any(at(j, right) and all(at(k, left) for k in range(j + 1, position + 1)) for j in reached)


small = st.recursive(st.one_of(propositions, st.sampled_from([TRUE, FALSE])), larger, max_leaves=3)


@settings(max_examples=200)
@given(small, contents)
def test_a_path_goes_on_outside_the_stream(formula: Pltl, content: dict[int, frozenset[Fact]]) -> None:
    path = path_of(0, 2, content)
    end = len(path) + nesting_of_previous(formula) + 1
    assert truth_along(path, formula) == [literal_truth(path, position, formula, end) for position in range(3)]
    outside = truth_outside(formula)
    assert outside is None or all(literal_truth(path, there, formula, end) is outside for there in range(3, end))


@partly(300)
@given(formulas)
def test_printing_and_parsing_are_inverse(formula: Pltl) -> None:
    printed = show(formula)
    again = parse(f"x := {printed}.")
    assert show(again[0].formula) == printed
    path = [frozenset({FACTS[0]}), frozenset(FACTS[1:]), frozenset(FACTS[:2]), frozenset[Fact]()]
    assert truth_along(path, again[0].formula) == truth_along(path, formula)


windows = st.builds(tree.TimeWindow, st.integers(0, 3), st.integers(0, 2))
lars_atoms = atoms.map(lambda fact: tree.Atom(fact.predicate, tuple(map(tree.Constant, fact.args))))


def larger_lars(inner: st.SearchStrategy[tree.Formula]) -> st.SearchStrategy[tree.Formula]:
    times = st.integers(0, 8).map(tree.Constant)
    several = st.lists(inner, min_size=2, max_size=2).map(tuple)
    return st.one_of(
        *(st.builds(build, inner) for build in (tree.Not, tree.Some, tree.Always, tree.Reset)),
        st.builds(tree.Implies, inner, inner),
        st.builds(tree.And, several),
        st.builds(tree.Or, several),
        st.builds(tree.At, times, inner),
        st.builds(tree.Windowed, windows, inner),
    )


lars_formulas = st.recursive(st.one_of(lars_atoms, st.builds(tree.Truth, st.booleans())), larger_lars, max_leaves=4)


@partly(320)
@given(lars_formulas, contents, st.integers(0, 2))
def test_lars_formulas_hold_where_their_translations_do(
    formula: tree.Formula, content: dict[int, frozenset[Fact]], start: int
) -> None:
    end = 6
    arrivals = [(time, fact) for time, facts in content.items() for fact in facts]
    structure = Structure.of(Stream.of(start, end, arrivals))
    path = path_of(start, end, content)
    for time in range(start, end + 1):
        expected = lars_holds(structure, time, formula)
        translated = at_time_point(formula, (start, end), time)
        assert holds(path, time, translated) is expected
        assert holds(path, 0, shift(time, translated)) is expected
        assert holds(path, time, for_any_stream(formula)) is expected
