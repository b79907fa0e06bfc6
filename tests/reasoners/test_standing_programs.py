"""All reasoners beside the judge on the programs that every run tries, evaluated in all ways."""

from __future__ import annotations

import pytest

from support.contest import contestants, judged_for, verdict
from support.kept import as_text
from support.ordinary import PROGRAMS
from support.standing import standing


@pytest.mark.random
@pytest.mark.parametrize("way", PROGRAMS)
def test_answers_and_changes(way: str) -> None:
    agreeing = tried = judged_so_far = 0
    for scenario in standing(way):
        judged = judged_for(way, scenario)
        tried, judged_so_far = tried + 1, judged_so_far + (judged.refused is None)
        for name in contestants(way, "all"):
            outcome = verdict(way, name, judged)
            agreeing += outcome.kind == "agrees"
            assert not outcome.wrong, f"{name} {outcome.kind} ({way}):\n{as_text(scenario)}\n{outcome.detail}"
    assert agreeing
    assert judged_so_far > 0.95 * tried  # what the judge does not take is compared with nothing
