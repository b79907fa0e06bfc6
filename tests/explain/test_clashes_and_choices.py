"""No answer stream, and several of them."""

from __future__ import annotations

import pytest

from larspark.diagnostics import Rejected
from larspark.explain.verification.verify import verify
from larspark.reasoners.protocol import Reasoner
from larspark.runtime.prepared import Prepared
from support.explained import case


def test_a_minimal_core_of_constraints() -> None:
    program = "a :- e [3]. b :- f [3]. :- a, b. :- c [3]. :- d(X) [3], X > 2."
    found = case(program, "0:e 1:f 1:d(1)").clash(1)
    assert [(one.rule.index, dict(one.binding)) for one in found.core] == [(2, {})]
    assert "program.lars:1   :- a, b." in str(found)


def test_constraints_that_clash_together() -> None:
    program = "a :- e [3], not b. b :- e [3], not a. :- a. :- b. :- zzz [1]."
    found = case(program, "0:e", reasoner="clingo").clash(0)
    assert [one.rule.index for one in found.core] == [2, 3]


def test_the_core_of_many_constraints_is_minimal() -> None:
    """Any two of three choices are forbidden together, and some constraints have nothing to do with it."""
    program = """
        a :- e [3], not b. b :- e [3], not a. c :- e [3], not d. d :- e [3], not c.
        :- a, c. :- a, d. :- b, c. :- b, d. :- a, b. :- e [3], x. :- b, c, d.
    """
    found = case(program, "0:e 1:f").clash(1)
    assert [one.rule.index for one in found.core] == [4, 5, 6, 7]


def test_cores_with_decimals_and_functions_of_time() -> None:
    found = case("p(X) :- e(X) [3]. :- p(X), X > 1.5, now > 0. :- p(1).", "0:e(2.5) 1:f").clash(1)
    assert [(one.rule.index, str(one.binding["X"])) for one in found.core] == [(1, "2.5")]


def test_rules_that_clash_without_constraints() -> None:
    found = case("c :- e. a :- e [3], not a.", "0:e").clash(0)
    assert [one.rule.index for one in found.core] == [1]


def test_there_is_nothing_to_explain_where_there_is_an_answer_stream() -> None:
    with pytest.raises(Rejected):
        case("a :- e.", "0:e").clash(0)
    with pytest.raises(Rejected) as rejected:
        case("a :- e. :- a.", "0:e").why("a", 0)
    assert rejected.value.diagnostics[0].code == "E564"


@pytest.mark.parametrize("atom", ["a", "b"])
def test_why_in_this_answer_stream_and_not_in_that(atom: str) -> None:
    asked = case("a :- e [3], not b. b :- e [3], not a. c :- a. c :- b.", "0:e", reasoner="clingo")
    (found,) = asked.why(atom, 0)
    text = found.as_json()
    assert text["answer_streams"] == {"count": 2, "with": 1}
    (missing,) = [one for one in text["elsewhere"][0]["literals"] if not one["ok"]]
    assert missing["reason"] == "chosen-otherwise"
    assert verify(text, asked.setting) is None


def test_an_atom_of_all_answer_streams() -> None:
    asked = case("a :- e [3], not b. b :- e [3], not a. c :- a. c :- b.", "0:e", reasoner="clingo")
    (found,) = asked.why("c", 0)
    assert "answer_streams" not in found.as_json()
    assert verify(found.as_json(), asked.setting) is None


CHOICE = "a :- not b. b :- not a. :- b, force [1]."


def test_what_was_chosen_long_ago_and_kept() -> None:
    """Nothing that windows still see forbids `b`, but `a` was chosen when something did."""
    asked = case(CHOICE, "0:force 20:e", reasoner="clingo")
    (proof,) = asked.why("a", 20)
    assert proof.life is not None
    assert proof.life.span[0] == 0
    (missing,) = [one for one in asked.why_not("b", 20).candidates[0].conditions if not one.ok]
    assert missing.reason == "chosen-otherwise"
    with pytest.raises(Rejected):
        asked.why_not("a", 20)


def test_one_run_answers_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer streams, what was chosen before, and what follows are read off the same evaluations."""
    asked = case(CHOICE, "0:force 5:e", reasoner="clingo")
    made: list[str] = []
    make = type(asked.prepared).reasoner

    def counted(prepared: Prepared, name: str, start: int = 0, **options: object) -> Reasoner:
        made.append(name)
        return make(prepared, name, start, **options)

    monkeypatch.setattr(type(asked.prepared), "reasoner", counted)
    asked.why("a", 5)
    assert made == ["clingo"]
    asked.why_not("b", 5, repaired=False)
    assert made == ["clingo"] * 2


def test_conclusions_about_times_that_no_column_holds() -> None:
    far = 10**19
    asked = case(f"@{far} a :- b [3].", "0:b", reasoner="reference")
    (proof,) = asked.why(f"@{far} a", 1)
    assert proof.question.at == far
