"""How often a join looks: the answers do not tell, since a conclusion drawn twice is the same conclusion."""

from __future__ import annotations

import pytest

from larspark.analysis.pipeline import analyse
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.reasoners.interval import IntervalReasoner
from larspark.reasoners.interval.planning.plan import Plan
from larspark.reasoners.interval.state.arrivals import Arrivals
from larspark.reasoners.interval.state.profile import Profile

CHAIN = [(time, Fact("p", (time, time + 1))) for time in range(10)]


@pytest.mark.parametrize("chunk", [1, 3, 10])
def test_two_new_atoms_are_joined_once(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[int] = []

    def counted(_: Profile, plan: Plan, __: int, rows: int, ___: float) -> None:
        if plan.rule.head.name == "q/2":
            found.append(rows)

    monkeypatch.setattr(Profile, "concluded", counted)
    reasoner = IntervalReasoner(analyse(parse_program("q(A,C) :- p(A,B) [20], p(B,C) [20].", "<test>")).require())
    reasoner.profiled()
    for first in range(0, len(CHAIN), chunk):
        part = CHAIN[first : first + chunk]
        reasoner.advance_batch(part[-1][0], Arrivals.of(part, reasoner.dictionary))
    assert sum(found) == len(CHAIN) - 1
