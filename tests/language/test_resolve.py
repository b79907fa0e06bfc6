from __future__ import annotations

import pytest

from larspark.diagnostics import Rejected
from larspark.language import parse_duration, parse_formula, parse_program, resolve
from larspark.language.resolve import clock_of, resolve_formula
from larspark.language.values import Value


def rejection(text: str) -> list[tuple[str, str]]:
    with pytest.raises(Rejected) as caught:
        resolve(parse_program(text, "p"))
    return [(found.code, str(found.origin)) for found in caught.value.diagnostics]


def test_durations_count_time_points() -> None:
    text = "#clock 500 ms. @(T + 1 min) a :- @T b [3 s, +1 s hop 500 ms], X = 2 h."
    same = "@(T + 120) a :- @T b [6, +2 hop 1], X = 14400."
    assert resolve(parse_program(text)).rules == parse_program(same).rules


def test_the_given_clock_and_constants_win() -> None:
    program = parse_program("#clock 1 s. #const k = 5. a(k) :- b(X) [k], c [3 s], X < k.")
    resolved = resolve(program, parse_duration("500 ms"), {"k": 7})
    assert resolved.rules == parse_program("a(7) :- b(X) [7], c [6], X < 7.").rules
    assert clock_of(resolved) == parse_duration("500ms")


def test_constants_reach_terms_windows_patterns_and_each_other() -> None:
    text = "#const k = m. #const m = 2. a :- p(k) [k #, +m #], q [of r(k,_)] [0 hop k], s [from k to k+1]."
    with pytest.raises(Rejected):  # [0 hop 2] would skip time points
        resolve(parse_program(text))
    fine = text.replace("[0 hop k]", "[4 hop k]")
    same = "a :- p(2) [2 #, +2 #], q [of r(2,_)] [4 hop 2], s [from 2 to 3]."
    assert resolve(parse_program(fine)).rules == parse_program(same.replace("to 3", "to 2+1")).rules


@pytest.mark.parametrize(
    "window",
    [
        *("[0]", "[0 s]", "[+1]", "[1 #]", "[+1 #]", "[all]", "[3 hop 3]", "[3, +1 hop 4]", "[1 hop 2]"),
        *("[9 s hop 10 s]", "[tumble 10 s]", "[hop 2 s over 10 s]", "[hop 10 s over 10 s]", "[hop 2 over all]"),
    ],
)
def test_sizes_that_exist(window: str) -> None:
    assert resolve(parse_program(f"a :- b {window}.")).rules


@pytest.mark.parametrize(
    ("window", "code"),
    [
        ("[1500 ms]", "E301"),
        ("[0 #]", "E306"),
        ("[0 #, +0 #]", "E306"),
        ("[0 # per]", "E306"),
        ("[n]", "E306"),
        ("[n #]", "E306"),
        ("[f]", "E306"),
        ("[k]", "E305"),
        ("[3 hop 0]", "E307"),
        ("[0 tumbling]", "E307"),
        ("[3 hop all]", "E307"),
        ("[3 hop 5]", "E307"),
        ("[3, +1 hop 6]", "E307"),
        ("[tumble 0]", "E307"),
        ("[tumble all]", "E307"),
        ("[hop 11 over 10]", "E307"),
        ("[hop 1 over 0]", "E307"),
        ("[tumble n]", "E306"),
    ],
)
def test_sizes_that_do_not(window: str, code: str) -> None:
    assert rejection(f"#const n = -1. #const f = 1.5. a :- b {window}.") == [(code, "p:1:40")]


def test_a_half_open_window_that_slides_is_what_lies_before_now() -> None:
    slid, before = "a :- b [hop 1 over 3].", "a :- b [from now - 3 to now - 1]."
    assert resolve(parse_program(slid)).rules == parse_program(before).rules


def test_all_errors_come_at_once() -> None:
    text = """#clock 2 s. #clock 3 s. #const a = b. #const b = a. #const c = 1. #const c = 2.
    p :- q [0 #], r [3 s], f(X) = 1, abs(1,2) = 1.
    """
    codes = [code for code, _ in rejection(text)]
    assert codes == ["E303", "E304", "E304", "E304", "E306", "E301", "E308", "E308"]


def test_the_clock_must_tick() -> None:
    assert rejection("#clock 0 s.") == [("E302", "p:1:8")]


def test_declared_functions_are_known() -> None:
    text = '#function f/2 from "f.py". a(X) :- b(Y), X = f(Y,min(1,2,3)).'
    assert resolve(parse_program(text)).rules
    assert [code for code, _ in rejection(text.replace("f/2", "f/1"))] == ["E308"]


@pytest.mark.parametrize("value", [5, "x"])
def test_a_formula_is_resolved_against_a_program(value: Value) -> None:
    program = resolve(parse_program(f"#clock 500 ms. #const k = {value}."))
    assert resolve_formula(parse_formula("a(k) [1 s]"), program) == parse_formula("a(k) [2]")
