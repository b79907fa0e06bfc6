from __future__ import annotations

import re

import pytest

from larspark.diagnostics import Rejected
from support.analysed import analysed

ALL = ("reference", "interval", "clingo", "jtms", "answer-update", "spark")


@pytest.mark.parametrize(
    ("text", "fragment", "refusing"),
    [
        ("h(X) :- a(X) [3].", "positive", ()),
        ("h(X) :- a(X) [3], not b(X).", "stratified", ()),
        ("h(N) :- N = #count{ X : a(X) }.", "stratified", ()),
        ("h :- a [3] [2 #].", "positive", ()),
        (":- a, not b.", "stratified", ()),
        ("h :- d [4 hop 2] [2]. d :- a.", "positive", ("interval", "spark")),
        ("h :- always d [from 3 to 5] [2]. d :- a.", "positive", ("interval", "spark")),
        ("h :- a [4 hop 2] [2]. g :- always a [from 3 to 5] [2].", "positive", ()),
        ("p :- not q. q :- not p.", "plain", ("interval",)),
        ("p :- a, not p.", "plain", ("interval",)),
        ("get(M) :- has(M), not other(M). other(M) :- has(M), get(K), K != M.", "plain", ("interval",)),
        ("win(X) :- move(X,Y), not win(Y).", "plain", ("interval",)),
        ("p(1) :- not p(2). p(2) :- not p(3). p(3) :- not p(1).", "plain", ("interval",)),
        ("a | b :- c.", "plain", ("interval", "answer-update")),
        ("a(X) | a(Y) :- c(X,Y).", "plain", ("interval", "answer-update")),
        ("a | b :- c. a :- b. b :- d.", "plain", ("interval", "answer-update")),
        ("a | b :- c. a :- b [2]. b :- a.", "plain", ("interval", "jtms", "answer-update")),
        ("a(X) | a(Y) :- c(X,Y). a(X) :- a(Y), c(X,Y).", "plain", ("interval", "jtms", "answer-update")),
        ("p :- not q. q :- not p. h(N) :- N = #count{ 1 : p }.", "plain", ("interval",)),
        ("p :- not q. q :- not p. h(N) :- N = #count{ 1 : p }. :- h(0).", "plain", ("interval", "jtms")),
        ("p :- not q. q :- not p. h(N) :- N = #count{ 1 : a }. :- h(0), p.", "plain", ("interval",)),
        ("p :- not q. q :- not p. h(N) :- N = #count{ 1 : p }. x :- h(0), not x.", "plain", ("interval", "jtms")),
        ("p :- not q. q :- not p. @(now-1) h(N) :- N = #count{ 1 : p }.", "plain", ("interval", "jtms")),
        ("p :- not q. q :- not p. #prefer 1 : p.", "plain", ("interval", "jtms", "answer-update", "spark")),
        ("a | b :- c. #prefer 1 : p.", "plain", ("interval", "jtms", "answer-update", "spark")),
        ("h(X) :- a(X) [3], not b(X). #prefer X, X : h(X).", "stratified", ()),
        ("h :- a. #prefer 1 : (a and b).", "full LARS", ()),
        ("a :- a [3]. a :- b.", "positive", ("answer-update",)),
        # Strata of predicates: a(1) and a(2) are not told apart.
        ("a(1) :- b [3]. b :- a(2).", "positive", ("answer-update",)),
        ("h :- (a and b [3]).", "full LARS", ()),
        ("(a and b) :- c.", "full LARS", ()),
    ],
)
def test_fragments_and_reasoners(text: str, fragment: str, refusing: tuple[str, ...]) -> None:
    analysis = analysed(text)
    assert analysis.fragment == fragment
    assert analysis.reasoners == tuple(name for name in ALL if name not in refusing)


def test_the_stratification_error_prints_the_cycle() -> None:
    analysis = analysed("walk :- dry, far.\nfar :- not tram.\ntram :- walk.\n")
    (reason,) = analysis.accepts["interval"]
    assert reason.message == (
        "Negation runs in a cycle: far/0 → not tram/0 (t.lars:2:1) → walk/0 (t.lars:3:1) → far/0 (t.lars:1:1)."
    )
    assert "clingo" in reason.hint
    assert reason.origin is not None
    assert reason.origin.line == 2


def test_require_raises_what_stands_against_a_reasoner() -> None:
    analysis = analysed("p :- not q. q :- not p.")
    assert analysis.require("clingo") is analysis
    with pytest.raises(Rejected, match="cycle"):
        analysis.require("interval")


def test_require_raises_errors_but_not_warnings() -> None:
    assert analysed("h :- p(X).").require().diagnostics
    with pytest.raises(Rejected, match="unsafe"):
        analysed("h(X) :- p.").require()


def test_a_wrong_program_has_no_reasoner() -> None:
    assert analysed("h(X) :- p.").reasoners == ()


def test_ground_programs() -> None:
    assert analysed("h :- a [3], not b(1).").ground
    assert not analysed("h :- a(X) [3].").ground


@pytest.mark.parametrize(
    "text",
    [
        "p :- not q. q :- not p.",
        "a | b :- c. d :- (a or b).",
        "p :- not q. q :- not p. d :- (p or c).",
        "x :- y [3]. y :- x. y :- a.",
        "x :- y [3]. y :- x. x :- not z. z :- not x.",
        "#prefer 1 : a. a | b :- (c or d).",
        "#record a/0. a :- b, not a [3].",
        "h(N) :- N = #count{ X : a(X) }. x :- a, not x.",
    ],
)
def test_a_reasoner_that_is_advised_takes_the_program(text: str) -> None:
    analysis = analysed(text)
    advised = {
        name
        for reasons in analysis.accepts.values()
        for reason in reasons
        for name in re.findall(r"--reasoner ([a-z-]+)", reason.hint)
    }
    assert advised
    assert advised <= set(analysis.reasoners)
