"""Reading what is asked, and refusing questions that have no answer."""

from __future__ import annotations

from larspark.diagnostics import Diagnostic, Rejected
from larspark.explain.evaluations.world import EvaluationSetting
from larspark.explain.phrasing import UNSAID, Phrasing
from larspark.explain.proofs.proof import Question
from larspark.language.facts import Fact
from larspark.language.parser import parse_formula
from larspark.language.simple_atoms import read_simple_atom
from larspark.language.tree import At, Atom, Constant, Formula


def question_of(text: str, ask: str, time: int, words: Phrasing = UNSAID) -> Question:
    """`alarm(press)`, or `@43 exp(a3,m)` for an atom that is about another time point; that may be a timestamp."""
    simple = read_simple_atom(text)
    if simple is not None:
        return Question(ask, words.read(simple), time)
    match parse_formula(text):
        case Atom() as atom:
            return Question(ask, words.read(_fact(atom, text)), time)
        case At(Constant(value), Atom() as atom):
            point = words.point(value)
            if isinstance(point, int):
                return Question(ask, words.read(_fact(atom, text)), time, None if point == time else point)
    raise _not_ground(text)


def _fact(atom: Formula, text: str) -> Fact:
    assert isinstance(atom, Atom)
    values = [arg.value for arg in atom.args if isinstance(arg, Constant)]
    if len(values) != len(atom.args):
        raise _not_ground(text)
    return Fact(atom.predicate, tuple(values))


def _not_ground(text: str) -> Rejected:
    message = f"`{text}` is not a ground atom."
    return Rejected([Diagnostic("E561", message, "Ask about one atom, as in 'alarm(press)' or '@43 exp(a3,m)'.")])


def require_known(setting: EvaluationSetting, question: Question) -> None:
    """`Rejected` when the atom can neither be derived nor arrive."""
    signature = question.fact.signature
    known = setting.intensional | setting.index.signatures | {fact.signature for fact in setting.background}
    if signature not in known:
        names = ", ".join(sorted(str(one) for one in setting.intensional if not one.hidden))
        message = f"No rule gives {signature}, and it does not arrive."
        raise Rejected([Diagnostic("E560", message, f"The program derives {names or 'nothing'}.")])


def no_answer_stream(time: str) -> Rejected:
    hint = "`larspark why-not false PROGRAM …` says which rules clash."
    return Rejected([Diagnostic("E564", f"There is no answer stream at {time}.", hint)])
