"""Output over time: pull, push, recorded conclusions and the choice that stays."""

from __future__ import annotations

import pytest

from larspark.language.parser import parse_program
from larspark.language.resolve import resolve
from larspark.semantics.output import Evaluator, pull, push
from larspark.semantics.streams import Stream
from support.notation import fact


def stream(text: str) -> Stream:
    """`3:a 5:b`."""
    arrivals = [arrival.split(":") for arrival in text.split()]
    return Stream.of(0, None, [(int(time), fact(atom)) for time, atom in arrivals])


def evaluator(text: str) -> Evaluator:
    return Evaluator(resolve(parse_program(text)))


def outputs(text: str, arrivals: str, until: int) -> dict[int, str]:
    """The non-empty outputs of the chosen answer streams; `-` where there is none."""
    found = {}
    for evaluation in pull(evaluator(text), stream(arrivals), until):
        held = evaluation.output
        if held is None or held:
            found[evaluation.time] = "-" if held is None else " ".join(sorted(map(str, held)))
    return found


def test_nothing_derived_earlier_is_in_the_stream() -> None:
    #       0 1 2 3 4 5 6 7 8
    #                 a
    assert outputs("b :- a [1]. c :- b [5].", "5:a", 12) == {5: "b c", 6: "b c"}


def test_a_pinned_conclusion_is_found_again() -> None:
    assert outputs("@T b :- @T a [3]. c :- b [5].", "5:a", 12) == {5: "b c", 6: "c", 7: "c", 8: "c"}


def test_what_is_recorded_is_seen_by_later_evaluations() -> None:
    #       0 1 2 3 4 5 6 7
    #           a            b holds at 2, is recorded, and reaches to 4
    assert outputs("#record b/0. b :- a. c :- b [2].", "2:a", 7) == {2: "b c", 3: "c", 4: "c"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # b is recorded at 2 while a is seen, and found there when a has left the window
        ("@T b :- @T a [1]. c(T) :- @T b [4].", {2: "b c(2)", 3: "c(2)", 4: "c(2)", 5: "c(2)", 6: "c(2)"}),
        # recorded at 2 for 1, so evaluations after 2 see it at 1
        ("@(T-1) b :- @T a, a. c(T) :- @T b [2].", {2: "c(1)", 3: "c(1)"}),
        # recorded at 2 for 5: until then it is seen by nobody, not even by windows that reach ahead
        ("@(T+3) b :- @T a, a. c(T) :- @T b [1, +9].", {2: "c(5)", 5: "b c(5)", 6: "c(5)"}),
        # what is recorded ahead stays when its reason is gone
        ("@(T+2) b :- @T a [0], not z. z :- b [1].", {4: "b z", 5: "z"}),
        ("@T b :- @T a [1]. c :- b [1 #].", {2: "b"}),
    ],
)
def test_a_conclusion_is_recorded_at_its_own_time(text: str, expected: dict[int, str]) -> None:
    #       0 1 2 3 4 5 6 7 8
    #           a
    assert outputs(f"#record b/0. {text}", "2:a", 8) == expected


def test_a_conclusion_recorded_at_a_tick_is_seen_at_the_next() -> None:
    text = "#record b/0. @T b :- @T a, not x. c :- b [1], x."
    found = [
        (evaluation.time, sorted(map(str, evaluation.output or ())))
        for evaluation in push(evaluator(text), stream("2:a 2:x 3:x"))
    ]
    assert found == [(2, ["b"]), (2, ["b", "c"]), (3, ["c"])]


def test_a_recorded_atom_can_keep_itself_alive() -> None:
    assert outputs("#record on/0. on :- a. on :- on [1], not off.", "2:a 5:off", 7) == {2: "on", 3: "on", 4: "on"}


def test_recorded_atoms_are_not_counted_by_tuple_windows() -> None:
    assert outputs("#record b/0. b :- a. c :- a [1 #].", "2:a", 4) == {2: "b c", 3: "c", 4: "c"}


def test_input_of_an_intensional_predicate_is_part_of_the_output() -> None:
    assert outputs("#input b/0. b :- a. c :- b [1].", "2:b 5:a", 6) == {2: "b c", 3: "c", 5: "b c"}


def test_no_answer_stream_is_told_apart_from_an_empty_one() -> None:
    assert outputs(":- a, not b. c :- b.", "2:a 3:b 4:a 4:b", 5) == {2: "-", 3: "c", 4: "c"}


def test_the_choice_stays_as_long_as_it_can() -> None:
    choice = "p :- a [9], not q. q :- a [9], not p. :- p, b."
    assert outputs(choice, "1:a 3:b", 5) == {1: "p", 2: "p", 3: "q", 4: "q", 5: "q"}


def test_push_evaluates_after_every_atom() -> None:
    found = [
        (evaluation.time, evaluation.count, sorted(map(str, evaluation.output or ())))
        for evaluation in push(evaluator("p :- a [1 #]. q :- b [1 #]."), stream("2:a 2:b 4:a"))
    ]
    assert found == [(2, 1, ["p"]), (2, 2, ["q"]), (4, 3, ["p"])]


@pytest.mark.parametrize("future", ["@(T+2) b :- @T a [3].", "@T b :- @U a [3], T = U + 2."])
def test_heads_may_lie_ahead(future: str) -> None:
    assert outputs(f"{future} c :- b [+1].", "3:a", 8) == {4: "c", 5: "b c"}


def test_a_head_before_the_timeline_cannot_be_satisfied() -> None:
    assert outputs("@(T-3) b :- @T a.", "2:a", 3) == {2: "-", 3: "-"}


def test_a_time_variable_has_no_instance_before_the_timeline() -> None:
    assert outputs("@T b :- @U a, T = U - 3. c :- a.", "2:a", 3) == {2: "c"}
