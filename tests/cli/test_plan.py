"""The optimiser on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"

PROGRAM = """\
#show alarm/1.
hot(S, V) :- reading(S, V) [5], reading(S, V) [9].
warm(S, V) :- hot(S, V), V > 20.
alarm(S) :- warm(S, V), V > 30.
alarm(S) :- reading(S, V) [2], V > 30, site(S).
seen(S) :- reading(S, _) [60].
"""
STREAM = """\
{"time": 1, "atom": "reading(a,31)"}
{"time": 2, "atom": "reading(b,25)"}
{"time": 2, "atom": "site(a)"}
{"time": 9, "atom": "site(a)"}
"""


def test_the_plan_shows_each_step(larspark, write):
    outcome = larspark("check", write("p.lars", PROGRAM), "--plan")
    assert outcome.status == 0
    assert outcome.out.endswith(
        "unfold-single-uses  (equivalence: data, for what is shown)\n"
        "  - hot(S,V) :- reading(S,V) [5], reading(S,V) [9].\n"
        "  - warm(S,V) :- hot(S,V), V > 20.\n"
        "  - alarm(S) :- warm(S,V), V > 30.\n"
        "  + alarm(S) :- reading(S,V) [5], reading(S,V) [9], V > 20, V > 30.\n"
        "drop-implied-literals  (equivalence: strong)\n"
        "  - alarm(S) :- reading(S,V) [5], reading(S,V) [9], V > 20, V > 30.\n"
        "  + alarm(S) :- reading(S,V) [5], V > 30.\n"
        "drop-subsumed-rules  (equivalence: strong)\n"
        "  - alarm(S) :- reading(S,V) [2], V > 30, site(S).\n"
        "drop-unreachable-rules  (equivalence: data, for what is shown)\n"
        "  - seen(S) :- reading(S,_) [60].\n"
        "predicted: 1.2 times as fast\n"
    )


def test_rewrites_are_chosen_by_name(larspark, write):
    path = write("p.lars", PROGRAM)
    (found,) = larspark("check", path, "--plan", "drop-unreachable-rules", "--format", "json").json
    assert found["plan"]["rewrites"] == ["drop-unreachable-rules"]
    assert found["plan"]["steps"] == [
        {
            "rewrite": "drop-unreachable-rules",
            "equivalence": "data, for what is shown",
            "removed": ["seen(S) :- reading(S,_) [60]."],
            "added": [],
        }
    ]
    assert len(found["plan"]["rules"]) == 4
    (plain,) = larspark("check", path, "--format", "json").json
    assert "plan" not in plain
    wrong = larspark("check", path, "--plan", "faster")
    assert wrong.status == 2
    assert "there is no rewrite 'faster'" in wrong.err


JOINS = """\
#input start/1, large/2, small/2.
found(X,Z) :- start(X), large(X,Y) [50], small(X,Z) [50], not off(X).
off(X) :- always small(X,0) [3].
"""
SAMPLE = "".join(
    f'{{"time": {time}, "atom": "{atom}"}}\n'
    for time in range(20)
    for atom in (f"large(1,{time})", f"large(2,{time})", "small(1,5)", f"small({time},5)", f"start({time % 3})")
)


def test_the_evaluation_is_shown_before_the_rewrites(larspark, write):
    outcome = larspark("check", write("p.lars", JOINS), "--plan")
    assert outcome.status == 0
    assert (
        "  part 6, stratum 2: found/2\n"
        "    line 2: found(X,Z) :- start(X), large(X,Y) [50], small(X,Z) [50], not off(X).\n"
        "      when now start/1(X) changes\n"
        "        unless off/1(X) by its key\n"
        "        join some large/2 [50](X, Y) by X, index on column 1\n"
        "        join some small/2 [50](X, Z) by X, index on column 1\n"
        "      when some large/2 [50](X, Y) changes\n"
    ) in outcome.out
    assert "    some small/2 [50]: its key; column 1\n" in outcome.out
    assert outcome.out.index("evaluation  by the interval reasoner") < outcome.out.index("nothing to rewrite")


def test_a_sample_chooses_the_order_of_joins(larspark, write):
    words = ("check", write("p.lars", JOINS), "--plan", "--stream", write("s.jsonl", SAMPLE))
    text = larspark(*words).out
    assert (
        "      when now start/1(X) changes\n"
        "        unless off/1(X) by its key: about 0 rows\n"
        "        join some small/2 [50](X, Z) by X, index on column 1: about 1 rows\n"
        "        join some large/2 [50](X, Y) by X, index on column 1: about 20 rows\n"
    ) in text
    assert "    some large/2 [50]: 40 rows, distinct per column 2, 20\n" in text
    (found,) = larspark(*words, "--format", "json").json
    assert found["evaluation"]["statistics"]["some large/2 [50]"] == {"rows": 40, "distinct": [2, 20]}
    (part,) = [part for part in found["evaluation"]["parts"] if part["relations"] == ["found/2"]]
    assert part["stratum"] == 2
    assert [step.get("bound") for step in part["rules"][0]["starts"][0]["steps"]] == [[0], [0], [0]]


def test_a_program_that_the_interval_reasoner_refuses_has_no_evaluation(larspark, write):
    path = write("p.lars", "a :- not b. b :- not a.")
    assert "it does not take this program" in larspark("check", path, "--plan").out
    (found,) = larspark("check", path, "--plan", "--format", "json").json
    assert found["evaluation"] is None


def test_nothing_to_do_is_said(larspark, write):
    assert larspark("check", write("p.lars", "a :- b [5]."), "--plan").out.endswith("nothing to rewrite\n")


def test_an_optimised_program_has_the_same_answers(larspark, write):
    words = ("eval", write("p.lars", PROGRAM), "--stream", write("s.jsonl", STREAM))
    plain, optimised = larspark(*words), larspark(*words, "--optimise")
    assert optimised.out == plain.out
    assert "6: alarm(a)\n7: -\n" in plain.out


def test_input_is_checked_against_the_program_as_written(larspark, write):
    stream = write("s.jsonl", '{"time": 1, "atom": "seen(a)"}\n')
    outcome = larspark("eval", write("p.lars", PROGRAM), "--stream", stream, "--optimise")
    assert outcome.status == 1
    assert "E409" in outcome.err


@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.jsonl")))
def test_optimised_examples_have_the_same_answers(larspark, name):
    words = ("eval", EXAMPLES / f"{name}.lars", "--stream", EXAMPLES / f"{name}.jsonl", "--models", "all")
    reasoner = ("--reasoner", "clingo" if name == "caching" else "interval")
    plain, optimised = larspark(*words, *reasoner), larspark(*words, *reasoner, "--optimise")
    assert plain.status == optimised.status == 0
    assert optimised.out == plain.out
