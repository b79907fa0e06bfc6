"""Full atoms: a fact of Temporal Datalog may carry its time as last argument, `temp(wt25,high,0)`."""

from __future__ import annotations

from larspark.diagnostics import Diagnostic
from larspark.hypothetical.theory import findings
from larspark.hypothetical.theory.terms import Key
from larspark.hypothetical.theory.theory import Theory
from larspark.language.facts import Fact


def short_form(fact: Fact, theory: Theory) -> tuple[int, Fact] | None:
    """The time a full atom is about, and the atom without it; None for any other atom."""
    if theory.evaluated or Key(fact.predicate, len(fact.args), True) in theory.extensional:
        return None
    shorter = Key(fact.predicate, len(fact.args) - 1, True)
    time = fact.args[-1] if fact.args else None
    if not isinstance(time, int) or shorter not in theory.extensional | theory.intensional:
        return None
    return time, Fact(fact.predicate, fact.args[:-1])


def objection(fact: Fact, time: int, theory: Theory, delay: int = 0) -> Diagnostic | None:
    """Why a fact that arrives at `time` cannot be taken, if so."""
    about, short = short_form(fact, theory) or (time, fact)
    if Key(short.predicate, len(short.args), True) in theory.intensional - theory.inputs:
        return findings.not_a_fact_of_stream(str(fact))
    if about > time:
        return findings.fact_in_future(str(fact), about, time)
    closed = time - max(delay, 1)
    return findings.fact_too_late(str(fact), about, closed) if about <= closed else None
