from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from larspark.language.facts import Fact
from larspark.language.tree import Program
from larspark.language.values import Value
from larspark.translations.rdf.agreement import agreement, merged_patterns
from larspark.translations.rdf.execution import Execution, Pull, Push
from larspark.translations.rdf.parser import parse
from larspark.translations.rdf.translate import cqels, csparql
from support.translated import judged

UNTIL = 8
ONE, TWO = "<http://one>", "<http://two>"
WHERE = "?x <http://p> ?y . ?y <http://q> ?z ."

sizes = st.sampled_from(["[RANGE 2s]", "[RANGE 9s]", "[TRIPLES 2]", "[ALL]"])
facts = st.builds(
    lambda s, p, o, g: Fact("triple", (f"<http://{s}>", f"<http://{p}>", f"<http://{o}>", g)),
    st.sampled_from("ab"),
    st.sampled_from("pq"),
    st.sampled_from("ab"),
    st.sampled_from([ONE, TWO]),
)
streams = st.lists(st.tuples(st.sampled_from([0, 2, 4, 4, 5]), facts), max_size=5).map(
    lambda found: sorted(found, key=lambda arrival: arrival[0])
)


def answers(program: Program, arrivals: list[tuple[int, Fact]]) -> dict[int, set[tuple[Value, ...]]]:
    return {
        now: {fact.args for fact in judged(program, arrivals, now).output(now) if fact.predicate == "answer"}
        for now in range(UNTIL + 1)
    }


def csparql_text(first: str, second: str) -> str:
    return f"SELECT ?x ?z FROM STREAM {ONE} {first} FROM STREAM {TWO} {second} WHERE {{ {WHERE} }}"


def cqels_text(first: str, second: str) -> str:
    one, two = WHERE.split(" . ")
    return f"SELECT ?x ?z WHERE {{ STREAM {ONE} {first} {{ {one} }} STREAM {TWO} {second} {{ {two} }} }}"


@settings(max_examples=80)
@given(sizes, sizes, streams, st.sampled_from([1, 2, 4]))
def test_equal_contents_give_equal_answers(
    first: str, second: str, arrivals: list[tuple[int, Fact]], interval: int
) -> None:
    text = csparql_text(first, second)
    found = agreement(parse(text), arrivals, interval, UNTIL)
    pushed, pulled = (answers(csparql(text, execution=how), arrivals) for how in (Push(), Pull(interval)))
    only_pushed = set().union(*pushed.values()) - set().union(*pulled.values())
    only_pulled = set().union(*pulled.values()) - set().union(*pushed.values())
    assert not only_pushed or found.pushed_only
    assert not only_pulled or found.pulled_only
    for now in range(UNTIL + 1):
        # What one execution gives and the other never does comes from contents that only the first one meets.
        assert not pushed[now] & only_pushed or now in found.pushed_only
        assert not pulled[now] & only_pulled or now in found.pulled_only


@settings(max_examples=80)
@given(sizes, sizes, streams, st.sampled_from([Push(), Pull(2)]))
def test_merging_matters_only_for_patterns_with_foreign_matches(
    first: str, second: str, arrivals: list[tuple[int, Fact]], execution: Execution
) -> None:
    apart, merged = cqels_text(first, second), csparql_text(first, second)
    triples = [(str(fact.args[3]), fact.args[:3]) for _, fact in arrivals]
    if not merged_patterns(parse(apart), triples):
        ours = answers(cqels(apart, execution=execution), arrivals)
        assert ours == answers(csparql(merged, execution=execution), arrivals)


def test_execution_makes_a_difference() -> None:
    text = "SELECT ?x ?y FROM STREAM <http://one> [RANGE 2s STEP 5s] WHERE { ?x <http://p> ?y }"
    arrivals = [(1, Fact("triple", ("<http://a>", "<http://p>", "<http://b>", ONE)))]
    found = agreement(parse(text), arrivals, 5, UNTIL)
    assert not found.holds
    assert found.pushed_only == (1,)
    assert found.pulled_only == (0, 5)


def test_merging_makes_a_difference() -> None:
    arrivals = [
        (1, Fact("triple", ("<http://a>", "<http://p>", "<http://b>", ONE))),
        (1, Fact("triple", ("<http://b>", "<http://q>", "<http://a>", ONE))),
    ]
    apart = cqels_text("[ALL]", "[ALL]")
    triples = [(str(fact.args[3]), fact.args[:3]) for _, fact in arrivals]
    assert [pattern.predicate.value for pattern in merged_patterns(parse(apart), triples)] == ["<http://q>"]
    assert not answers(cqels(apart), arrivals)[1]
    assert answers(csparql(csparql_text("[ALL]", "[ALL]"), execution=Push()), arrivals)[1]
