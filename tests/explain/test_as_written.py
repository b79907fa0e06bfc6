"""What is short for something else is explained as it was written, and the judge accepts the proofs."""

from __future__ import annotations

import json

import pytest

from larspark.explain.faces.text import proof_text
from larspark.explain.faces.why_not_text import why_not_text
from larspark.explain.verification.verify import verify
from support.explained import case

BIDS = "1:bid(ann,5) 2:bid(ben,7) 3:bid(cy,9)"


@pytest.mark.parametrize(
    ("program", "stream", "atom", "time", "shown"),
    [
        ("p(1..3).", "0:z", "p(2)", 0, "p(1..3)."),
        ("#const n = 3. p(1..n).", "0:z", "p(3)", 0, "p(1..n)."),
        ("p(1;a).", "0:z", "p(a)", 0, "p(a)."),
        ("p(X) :- X = 1..2, q(X) [5 s].", "0:q(1)", "p(1)", 1, "q(1) [5 s]"),
        ("p :- q(1..3).", "1:q(2)", "p", 1, "p :- q(1..3)."),
        ("f(P,B) :- (1,P,B) = #top{ 3; Q,C : bid(C,Q) [5] }.", BIDS, "f(9,cy)", 3, "#top{ 3; Q,C : bid(C,Q) [5] }"),
        ("#const k = 2. r(R,B) :- (R,P,B) = #top{ k; Q,C : bid(C,Q) [5 s] }.", BIDS, "r(2,ben)", 3, "bid(ben,7) [5 s]"),
        ("p :- a(X) : q(X) [3]; z.", "1:q(1) 1:a(1) 1:z", "p", 1, "the value is 0"),
        ("p(M) :- at least 2 times q(M) [5].", "1:q(1) 3:q(1)", "p(1)", 3, "the value is 2"),
        ("{ p(X) : q(X) [3] } :- e.", "1:q(1) 1:e", "p(1)", 1, "{ p(X) } :- e, q(X) [3]."),
        ("p(X) | r(X) :- q(X) [3]. s :- p(_), not r(_).", "1:q(1)", "s", 1, "p(X) | r(X) :- q(X) [3]."),
        ("p :- (always (a -> b)) [3].", "1:z 4:z", "p", 4, "a -> b"),
        ("p :- (a or b [3]).", "1:b", "p", 3, "b [3]"),
        ("p(X) :- q(X) [session 3 per X].", "1:q(1) 3:q(1)", "p(1)", 5, "within 1-5"),
        ("p(X) :- q(X) [hop 2 over 4].", "1:q(1)", "p(1)", 3, "within 0-1"),
    ],
)
def test_proofs(program: str, stream: str, atom: str, time: int, shown: str) -> None:
    asked = case(program, stream, (0, 9))
    (found,) = asked.why(atom, time)
    assert verify(json.loads(json.dumps(found.as_json())), asked.setting) is None
    assert shown in proof_text(found)


@pytest.mark.parametrize(
    ("program", "stream", "atom", "shown"),
    [
        ("p(X) :- X = 1..2, q(X) [5 s].", "0:z", "p(1)", "✗ q(1) [5 s]    never"),
        ("p :- not q(1..2), e.", "1:q(1) 1:q(2) 1:e", "p", "✗ not q(1)    blocked"),
        ("r(R,B) :- (R,P,B) = #top{ 2; Q,C : bid(C,Q) [5] }.", BIDS, "r(3,ann)", "✗ 2 < 2    comparison"),
        ("{ p(X) : q(X) [3] } :- e. :- p(1), f.", "3:q(1) 3:e 3:f", "p(1)", "✗ { p(1) }    constraint"),
        ("p(X) | r(X) :- q(X) [3]. :- p(1), f.", "3:q(1) 3:f", "p(1)", "✗ p(1) | r(1)    constraint"),
    ],
)
def test_misses(program: str, stream: str, atom: str, shown: str) -> None:
    asked = case(program, stream)
    assert shown in why_not_text(asked.why_not(atom, asked.end))


def test_what_keeps_an_atom_does_not_depend_on_how_much_is_shown() -> None:
    asked = case("a :- b. b :- c. c :- d(_) [3].", "1:d(1) 2:z")
    (short,) = asked.why("a", 2, depth=1)
    (whole,) = asked.why("a", 2, depth=None)
    assert len(short.nodes) < len(whole.nodes)
    assert short.life == whole.life
    assert short.life is not None
    assert [str(fact) for fact, _ in short.life.continues_with] == ["d(1)"]


def test_a_value_that_is_held_points_at_its_arrival() -> None:
    (proof,) = case("#hold mode/1.\na :- mode(day).", "0:b 1:mode(day) 4:b").why("a", 4)
    assert "held at 4, arrived at 1 (stream.jsonl, line 2)" in proof_text(proof)
    assert proof.as_json()["nodes"][1]["lines"] == [[2, 2]]
