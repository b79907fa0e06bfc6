"""Errors and warnings beside safety and stratification, each with its message."""

from __future__ import annotations

import pytest

from support.analysed import analysed, codes, names


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("b :- a [1]. c :- b [2 #].", "b/0 is derived, but a tuple window counts only what arrives."),
        ("b(1) :- a. c :- b(X) [2 # per X].", "b/1 is derived, but a tuple window counts only what arrives."),
        ('#background "b.csv" as b/0. b :- a.', "b/0 is background data and cannot be derived by a rule."),
        ("#record a/0. b :- a.", "a/0 is recorded, but no rule derives it."),
        ("b :- a(1), a(1, 2).", "a/2 and a/1 are two different predicates."),
        (
            "#input tram/2. h(X) :- trma(X, Y), tram(Y, X).",
            "trma/2 is neither derived nor declared as input — did you mean tram/2?",
        ),
        ("#show alarn/1. alarm(X) :- hot(X).", "alarn/1 is shown, but no rule mentions it — did you mean alarm/1?"),
        ("#input bus/1. #input tram/1. h :- tram(_).", "bus/1 is declared as input, but no rule reads it."),
        ("#show h/0. h :- a. g :- a.", "g/0 is derived, but neither shown nor read by a rule."),
        ("h :- p(X).", "The variable X occurs only once in its rule."),
        ("h :- p(X), X > 5, X < 3.", "This rule never fires: its conditions contradict each other."),
        ("h :- p(X), X = 5, X != 5.", "This rule never fires: its conditions contradict each other."),
        ("h :- p(X), X >= 5, 5 > X.", "This rule never fires: its conditions contradict each other."),
        ("h :- p(X), X < X.", "This rule never fires: its conditions contradict each other."),
        ("h :- p, not p.", "This rule never fires: its conditions contradict each other."),
        ("h :- p, 2 < 1.", "This rule never fires: its conditions contradict each other."),
        ("h(X) :- X = 1..3, X > 7.", "This rule never fires: its conditions contradict each other."),
        ("n(X + 1) :- n(X). n(X) :- a(X).", "This recursion may compute new values without end."),
        ("n(Y) :- n(X), Y = X * 2. n(X) :- a(X).", "This recursion may compute new values without end."),
        ("@(T + 1) n :- @T n. n :- a.", "This recursion may compute new times without end."),
        ("a :- b, c. b :- a.", "This rule never fires: nothing can derive b/0."),
    ],
)
def test_finding(text: str, message: str) -> None:
    assert [finding.message for finding in analysed(text).diagnostics].count(message) == 1


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("#input bus/1. #input tram/1. h :- tram(_).", "Check the spelling, or remove the declaration of bus/1."),
        ("#show alarn/1. alarm(X) :- hot(X).", "Check the spelling, or remove alarn/1 from `#show`."),
        ("#input tram/2. h(X) :- trma(X, Y), tram(Y, X).", "Check the spelling, or declare `#input trma/2.`."),
    ],
)
def test_advice_fits_what_is_wrong(text: str, hint: str) -> None:
    assert hint in [finding.hint for finding in analysed(text).diagnostics]


@pytest.mark.parametrize(
    "text",
    [
        "#input a/0, b/0. b :- a [1]. c :- b [2 #].",
        "h :- p(_), q(_).",
        "h(X) :- p(X), X > 3, X < 5, X != 4.",
        "h(X) :- p(X), X >= 5, X <= 5.",
        "h(X) :- p(X), X > 4, X < 5.",
        "h(X) :- X = 1..3, X < 3.",
        "a :- b. b :- a. b :- c.",
        "h :- p, not p [3].",
        "#show h/0. h :- g. g :- a.",
        "go :- to. from :- via.",
        "n(Y) :- n(X), Y = X + 1, Y < 10. n(X) :- a(X).",
        "p(X, Z) :- p(X, _), q(Y), Z = Y + 1. p(X, X) :- a(X).",
        "@(T + 1) n :- @T n [5]. n :- a.",
    ],
)
def test_nothing_to_complain_about(text: str) -> None:
    assert codes(text) == []


def test_predicates() -> None:
    analysis = analysed('#background "p.csv" as plan/2. #record h/1. h(X) :- tram(X, Y), plan(X, Y).')
    assert names(analysis.intensional) == {"h/1"}
    assert names(analysis.extensional) == {"tram/2"}
    assert names(analysis.background) == {"plan/2"}
    assert names(analysis.recorded) == {"h/1"}
    assert names(analysis.shown) == {"h/1"}


def test_input_may_be_derived_as_well() -> None:
    analysis = analysed("#input b/0. b :- a. c :- b.")
    assert names(analysis.intensional & analysis.extensional) == {"b/0"}


def test_findings_come_in_source_order_and_survive_a_wrong_clock() -> None:
    analysis = analysed("#clock 2 s.\nh(X) :- a.\ng :- a [3 s].\nk(Y) :- b.")
    assert [(d.code, d.origin.line) for d in analysis.diagnostics if d.origin and d.severity == "error"] == [
        ("E201", 2),
        ("E301", 3),
        ("E201", 4),
    ]
    assert not analysis.resolved


def test_the_advice_for_or_in_a_body_is_taken_by_every_reasoner() -> None:
    """E120 advises it (`language/bad/or_in_body.txt`)."""
    assert {"interval", "clingo", "jtms", "answer-update", "reference"} <= set(analysed("h :- (a or b).").reasoners)
