"""What joins reach is enough: conclusions from it are those from everything, at the evaluations in question."""

from __future__ import annotations

from random import Random

import pytest

from larspark.diagnostics import Rejected
from larspark.explain.evaluations import joined, small
from larspark.explain.evaluations.history import AnswerHistory, Sourced
from larspark.explain.evaluations.relevance import Relevance
from larspark.explain.evaluations.small import small_answers
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.questions.explaining import Case
from larspark.runtime.prepared import prepare
from support.explained import case

LITERALS = ("e(X,Y) [3]", "e(Y,Z) [5]", "f(Y) [2]", "p(X,Y)", "p(Y,Z)", "e(X,Z)", "q(Y)", "f(X) [4]", "p(X,Z) [2]")
MORE = ("not f(Y) [3]", "not q(X)", "X < 3", "always f(X) [1]", "@T f(Y) [4]", "not e(_,X)", "f(Z) [4; 2]")
HEADS = ("p(X,Y)", "p(Y,X)", "p(X,Z)", "q(Y)", "q(X)", "r(X,Y)", "p(1,Y)")


def random_rules(random: Random, more: bool) -> str:
    rules = []
    for _ in range(random.randint(2, 4)):
        body = random.sample(LITERALS, random.randint(1, 3)) + (
            random.sample(MORE, random.randint(0, 2)) if more else []
        )
        rules.append(f"{random.choice(HEADS)} :- {', '.join(body)}.")
    return " ".join(["#input p/2. #input q/1.", *rules])


def random_arrivals(random: Random, number: int, end: int) -> list[Sourced]:
    facts = [Fact("p", (1, random.randrange(6))), Fact("q", (random.randrange(6),))]
    facts += [
        Fact("e", (random.randrange(6), random.randrange(6)))
        if random.random() < 0.7
        else Fact("f", (random.randrange(6),))
        for _ in range(number)
    ]
    return sorted(Sourced(random.randint(0, end), fact) for fact in facts)


def random_case(random: Random, more: bool, number: int) -> Case | None:
    try:
        return Case.of(
            prepare(parse_program(random_rules(random, more))), random_arrivals(random, number, 20), (0, 20), "interval"
        )
    except Rejected:  # not safe, or not stratified
        return None


def fitting(found: AnswerHistory, relevance: Relevance, first: int, last: int) -> set[tuple[Fact, int]]:
    return {
        (one.fact, time)
        for one in found.stretches
        if relevance.takes(one.fact)
        for time in range(max(first, one.first), min(last, one.last) + 1)
    }


def asked(case: Case, random: Random) -> list[Fact]:
    known = sorted({one.fact for one in case.evaluate(case.arrivals, case.end).stretches}, key=str)
    heads = sorted({(fact.predicate, len(fact.args)) for fact in known})
    made_up = [Fact(name, tuple(random.randrange(6) for _ in range(arity))) for name, arity in heads]
    return random.sample(known, min(2, len(known))) + made_up[:1]


def test_conclusions_from_what_joins_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joined, "FEW", 0)
    monkeypatch.setattr(joined, "SHARE", 0.01)
    fewer = compared = 0
    random = Random(5)
    while compared < 150:
        found = random_case(random, more=True, number=24)
        if found is None:
            continue
        setting = found.setting
        for fact in asked(found, random):
            relevance = Relevance.of(setting.program, fact)
            first, time = random.choice([(9, 9), (6, 12), (14, 14)])
            all_of_it, some = setting.relevant(relevance, first, time), setting.joined(relevance, first, time)
            left = [
                fitting(found.evaluate(one, time, narrowed=relevance.narrowed), relevance, first, time)
                for one in (all_of_it, some)
            ]
            assert left[0] == left[1], (setting.program, fact, first, time)
            compared += 1
            fewer += len(some) < len(all_of_it)
    assert fewer > 20


def test_few_arrivals_under_plain_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(small, "MOST", 10**6)
    compared = 0
    random = Random(6)
    while compared < 60:
        found = random_case(random, more=False, number=12)
        if found is None:
            continue
        answers = small_answers(found.prepared.program, found.arrivals, 0, 20)
        assert answers is not None
        later = found.evaluate(found.arrivals, 40)
        everything = Relevance(found.prepared.program, None)
        told = fitting(answers.followed, everything, 0, 20) | fitting(answers.coming(None, 40), everything, 20, 40)
        assert told == fitting(later, everything, 0, 40), found.prepared.program
        assert {fact for _, fact in answers.present(None)} == {fact for fact, time in told if time == 20}
        compared += 1


def test_of_many_edges_few_are_evaluated() -> None:
    stream = " ".join(f"{time}:edge({time},{time + 1}) {time}:edge({time + 500},{time + 600})" for time in range(200))
    program = "path(X,Y) :- edge(X,Y) [9]. path(X,Z) :- path(X,Y), edge(Y,Z) [9]."
    found = case(program, stream)
    relevance = Relevance.of(found.setting.program, Fact("path", (95, 99)))
    assert len(found.setting.relevant(relevance, 100, 100)) == 20
    assert len(found.setting.relevant(relevance, 50, 100)) == 120
    assert len(found.setting.joined(relevance, 50, 100)) < 12
    (proof,) = found.why("path(95,99)", 100, depth=None)
    arrived = {node.details["atom"] for node in proof.nodes if node.kind == "input"}
    assert arrived == {f"edge({node},{node + 1})" for node in range(95, 99)}


@pytest.mark.parametrize("program", ["#input q/0. q :- f(X).", "#input q/0. q :- f(X), q [3]."])
def test_what_arrives_and_is_concluded_held_where_it_arrived(program: str) -> None:
    asked = case(program, "1:f(1) 3:q 6:g")
    assert asked.why_not("q", 6).last_held == 3
