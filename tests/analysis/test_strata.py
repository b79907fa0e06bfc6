"""Components and strata, checked against the definition on random programs."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from larspark.analysis import Analysis, analyse
from larspark.language.traversal import atoms, atoms_with_sign
from larspark.language.tree import Always, Atom, Formula, Not, Program, Rule, Some, TimeWindow, Windowed
from support.analysed import analysed, codes, names

ATOMS = st.sampled_from([Atom(name) for name in "abcdef"])
WINDOWS = st.builds(TimeWindow, st.integers(0, 3))
EXTENDED = st.one_of(
    ATOMS, st.builds(Windowed, WINDOWS, st.builds(Some, ATOMS)), st.builds(Windowed, WINDOWS, st.builds(Always, ATOMS))
)
LITERALS = st.one_of(EXTENDED, EXTENDED, st.builds(Not, EXTENDED))
RULES = st.builds(Rule, ATOMS, st.lists(LITERALS, max_size=3).map(tuple))
PROGRAMS = st.lists(RULES, max_size=7).map(lambda rules: Program(tuple(rules)))


def uses(literal: Formula) -> list[tuple[str, bool]]:
    return [(atom.predicate, negated) for atom, negated in atoms_with_sign(literal)]


@given(PROGRAMS)
@settings(max_examples=400)
def test_strata_are_a_stratification(program: Program) -> None:
    """Thesis sec. 2.1: positive dependencies do not go up, negative ones go strictly down."""
    strata = analyse(program).strata
    if strata is None:
        return
    level = {signature.predicate: number for number, stratum in enumerate(strata) for signature in stratum}
    assert level.keys() == {atom.predicate for rule in program.rules for atom in atoms(rule.head)}
    for rule in program.rules:
        for head in atoms(rule.head):
            for literal in rule.body:
                for name, negated in uses(literal):
                    if name in level:
                        assert level[name] + negated <= level[head.predicate]


@given(PROGRAMS)
@settings(max_examples=400)
def test_without_strata_there_is_a_cycle_through_negation(program: Program) -> None:
    analysis = analyse(program)
    needs: dict[str, set[str]] = {}
    for rule in program.rules:
        for literal in rule.body:
            for name, _ in uses(literal):
                needs.setdefault(rule.head.predicate, set()).add(name)  # type: ignore[union-attr]

    def reachable(start: str) -> set[str]:
        found: set[str] = set()
        agenda = [start]
        while agenda:
            for following in needs.get(agenda.pop(), set()) - found:
                found.add(following)
                agenda.append(following)
        return found

    negative_cycle = any(
        negated and (name == atom.predicate or atom.predicate in reachable(name))
        for rule in program.rules
        for atom in atoms(rule.head)
        for literal in rule.body
        for name, negated in uses(literal)
    )
    assert (analysis.strata is None) == negative_cycle
    assert bool(analysis.accepts["interval"]) == negative_cycle


@given(PROGRAMS)
@settings(max_examples=200)
def test_components_come_after_what_they_need(program: Program) -> None:
    analysis = analyse(program)
    done: set[str] = set()
    for component in analysis.components:
        done |= {signature.predicate for signature in component.predicates}
        for rule in component.rules:
            needed = {name for literal in rule.body for name, _ in uses(literal)}
            assert needed & {s.predicate for s in analysis.intensional} <= done
    assert sum(len(component.rules) for component in analysis.components) == len(program.rules)


def stratum_names(analysis: Analysis) -> list[set[str]]:
    assert analysis.strata is not None
    return [names(stratum) for stratum in analysis.strata]


def test_aggregates_raise_the_stratum() -> None:
    assert stratum_names(analysed("b(X) :- a(X). n(N) :- N = #count{ X : b(X) [3] }.")) == [{"b/1"}, {"n/1"}]


def test_recursion_through_an_aggregate_is_an_error() -> None:
    analysis = analysed("n(N) :- N = #count{ X : m(X) }.\nm(X) :- n(X).")
    assert [finding.message for finding in analysis.diagnostics] == [
        "An aggregate depends on its own result: n/1 → aggregate over m/1 (t.lars:1:1) → n/1 (t.lars:2:1)."
    ]


def test_a_component_is_recursive_when_it_needs_itself() -> None:
    analysis = analysed("up(X,Y) :- link(X,Y) [3]. reach(X,Y) :- up(X,Y). reach(X,Z) :- reach(X,Y), up(Y,Z).")
    assert [(names(part.predicates), part.recursive) for part in analysis.components] == [
        ({"up/2"}, False),
        ({"reach/2"}, True),
    ]


def test_disjunctive_heads_are_decided_together() -> None:
    (component,) = analysed("a | b :- c.").components
    assert names(component.predicates) == {"a/0", "b/0"}
    assert len(component.rules) == 1


def test_constraints_belong_to_no_component() -> None:
    analysis = analysed("a :- b. :- a, not c.")
    assert [len(part.rules) for part in analysis.components] == [1]
    assert len(analysis.constraints) == 1
    assert codes("a :- b. :- a, not c.") == []
