"""Who is compared with the judge on a random program, in which way, and a difference made small."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from support.evaluations import WAYS
from support.random_programs import Scenario
from support.shrinking import TRIES, shrink
from support.strategies import numbered
from support.treatments import TREATMENTS, treat
from support.verdicts import REASONERS, Judged, Outcome, analysed, compare, judge


def contestants(evaluate: str, reasoner: str) -> tuple[str, ...]:
    """Who is compared: reasoners, or the treatment itself."""
    if evaluate in TREATMENTS:
        return (evaluate,)
    return REASONERS if reasoner == "all" else tuple(reasoner.split(","))


def entered(evaluate: str, seed: int) -> Iterator[tuple[int, Scenario]]:
    """The numbered scenarios; for a treatment, those whose reasoner takes the program."""
    for number in count():
        scenario = numbered(seed, number)
        if evaluate not in TREATMENTS or not analysed(scenario).accepts[TREATMENTS[evaluate][0]]:
            yield number, scenario


def verdict(evaluate: str, contestant: str, judged: Judged) -> Outcome:
    return treat(evaluate, judged) if evaluate in TREATMENTS else compare(contestant, judged)


def judged_for(evaluate: str, scenario: Scenario) -> Judged:
    return judge(scenario, WAYS.get(evaluate, WAYS["points"]))


def shrunk(evaluate: str, contestant: str, scenario: Scenario, outcome: Outcome, tries: int = TRIES) -> Scenario:
    """A small scenario with the same fault."""

    def shows(smaller: Scenario) -> bool:
        found = verdict(evaluate, contestant, judged_for(evaluate, smaller))
        return found.kind == outcome.kind and fault(found) == fault(outcome)

    return shrink(scenario, shows, tries)


def difference(
    evaluate: str, contestant: str, seed: int, number: int, outcome: Outcome, tries: int = TRIES
) -> dict[str, object]:
    """A case for the log, small enough to become a test."""
    small = shrunk(evaluate, contestant, numbered(seed, number), outcome, tries)
    found = verdict(evaluate, contestant, judged_for(evaluate, small))
    return {
        "difference": contestant,
        "evaluate": evaluate,
        "seed": seed,
        "number": number,
        "kind": outcome.kind,
        "fault": fault(outcome),
        "case": repr(small),
        "detail": found.detail,
    }


def fault(outcome: Outcome) -> str:
    """Where it crashed; nothing for a difference."""
    if outcome.kind != "crashes":
        return ""
    lines = outcome.detail.strip().splitlines()
    places = [line.strip() for line in lines if line.strip().startswith("File ")]
    error = next((line for line in reversed(lines) if line[:1].isalpha() and ":" in line), lines[-1])
    return f"{error.partition(':')[0]} in {places[-1].rpartition(' in ')[2] if places else '?'}"
