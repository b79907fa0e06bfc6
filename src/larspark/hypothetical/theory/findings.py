"""What foresight says about a program, a goal or a fact it cannot take."""

from __future__ import annotations

from collections.abc import Sequence

from larspark.diagnostics import Diagnostic, Origin, Severity
from larspark.hypothetical.theory.terms import Literal
from larspark.language import tree


def unsafe(name: str, origin: Origin | None) -> Diagnostic:
    return Diagnostic(
        "E540",
        f"Variable {name} occurs in no positive body atom, so the rule is not safe.",
        f"Add a positive body atom that binds {name}.",
        origin,
    )


def not_temporal_datalog(node: tree.Node) -> Diagnostic:
    return Diagnostic(
        "E541",
        "This is no Temporal Datalog: only pinned atoms, rigid atoms, their negation and comparisons are.",
        "Write `@T p(X)` or declare `#temporal p/2.`; a program with windows is foreseen as LARS without `#temporal`.",
        node.origin,
    )


def not_a_time_term(node: tree.Node) -> Diagnostic:
    return Diagnostic(
        "E542",
        "A time here is a time point, a variable, or a variable plus or minus a whole number.",
        "Name the time by a variable and compute it in a comparison.",
        node.origin,
    )


def no_time_argument(signature: str, origin: Origin | None) -> Diagnostic:
    return Diagnostic(
        "E554",
        f"`#temporal {signature}.` names a predicate without arguments, so there is none to be its time.",
        "Give the predicate a last argument for the time.",
        origin,
    )


def negation_in_rigid_rule(origin: Origin | None) -> Diagnostic:
    return Diagnostic(
        "E543",
        "A rule between rigid predicates uses negation.",
        "Negate the rigid atom in the rule with the temporal head instead.",
        origin,
    )


def unknown_goal(goal: str, known: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        "E544",
        f"No rule derives the goal {goal}.",
        f"Choose one of the derived predicates: {', '.join(known)}." if known else "Add a rule with this head.",
    )


def never_derived(goal: str) -> Diagnostic:
    return Diagnostic(
        "E544",
        f"The goal {goal} can never be derived: the rules for it ask for other values or contradict themselves.",
        "Ask for a more general goal, or correct the rules.",
    )


def does_not_terminate(cycle: Sequence[str], origin: Origin | None) -> Diagnostic:
    return Diagnostic(
        "E545",
        f"Unfolding the goal finds no end in the recursion {' → '.join(cycle)}.",
        "Give a bound on the recursion (`--bound N`), or ask for a goal that does not use this recursion.",
        origin,
    )


def too_many_preconditions(limit: int) -> Diagnostic:
    return Diagnostic(
        "E546",
        f"The goal needs more than {limit} resolution steps to unfold.",
        "Ask for a more specific goal, or raise the limit.",
    )


def not_stratified(cycle: Sequence[str], origin: Origin | None) -> Diagnostic:
    return Diagnostic(
        "E547",
        f"Negation is not T-stratified: {' → '.join(cycle)} does not lead strictly into the past.",
        "Let the negated atom be earlier than the head it helps to derive.",
        origin,
    )


def not_connected(head: Literal, origin: Origin | None) -> Diagnostic:
    return Diagnostic(
        "W540",
        f"The rule for {head} is not connected: a time in its body is not tied to the time of its head.",
        "Goals that need it may have no delay or window; write its times as the head's time plus or minus a number.",
        origin,
        Severity.WARNING,
    )


def fact_too_late(text: str, time: int, closed: int) -> Diagnostic:
    return Diagnostic(
        "E549",
        f"The fact {text} is about time {time}, but everything up to {closed} is already closed.",
        "Send facts in time, or allow a longer delay.",
    )


def time_goes_back(time: int, now: int) -> Diagnostic:
    return Diagnostic(
        "E549", f"Time goes back from {now} to {time}.", "Move forward in time; late facts carry their own time."
    )


def fact_in_future(text: str, time: int, now: int) -> Diagnostic:
    return Diagnostic(
        "E550",
        f"The fact {text} is about time {time}, which lies after the current time {now}.",
        "A fact is reported at its own time or, with a delay, later.",
    )


def not_a_fact_of_stream(text: str) -> Diagnostic:
    return Diagnostic(
        "E551",
        f"{text} is derived by rules and cannot arrive in the stream.",
        "Declare the predicate `#input`, or rename it.",
    )


def unsupported(what: str, node: tree.Node) -> Diagnostic:
    return Diagnostic(
        "E552",
        f"Foresight does not look ahead through {what}.",
        "Use time windows with `some`, `always` or `@T`, joins, comparisons and stratified negation.",
        node.origin,
    )


def always_too_long(limit: int, node: tree.Node) -> Diagnostic:
    return Diagnostic(
        "E552",
        f"Foresight spells `always` windows out, up to {limit} time points.",
        "Use a shorter window, or a longer clock.",
        node.origin,
    )


def goal_not_an_atom(text: str) -> Diagnostic:
    return Diagnostic(
        "E553", f"The goal {text} is not an atom.", "Write a goal like `alarm(X)`, `malf(X,T)` or `@T malf(X)`."
    )
