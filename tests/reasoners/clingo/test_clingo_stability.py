"""The previous choice, or at least what is shown of it, is kept as long as that is possible."""

from __future__ import annotations

from random import Random

from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from larspark.analysis.pipeline import analyse
from larspark.diagnostics import Rejected
from larspark.language.facts import Fact
from larspark.language.tree import Program, Show
from larspark.reasoners.clingo import ClingoReasoner
from larspark.reasoners.protocol import AnswerStream
from support.loops import looping
from support.random_programs import Scenario
from support.strategies import CHOICES, scenarios
from support.tiers import partly


@partly(300, suppress_health_check=list(HealthCheck))
@given(st.one_of(looping(), scenarios(CHOICES)), st.randoms(use_true_random=False))
def test_what_is_shown_of_a_choice_is_kept(scenario: Scenario, random: Random) -> None:
    written = analyse(scenario.program, background={fact.signature for fact in scenario.background})
    candidates = sorted(written.intensional)
    if not candidates:
        return
    shown = random.sample(candidates, random.randint(1, len(candidates)))
    program = Program(scenario.program.rules, (*scenario.program.directives, Show(tuple(shown))))
    analysis = analyse(program, background={fact.signature for fact in scenario.background})
    try:
        reasoner = ClingoReasoner(analysis, scenario.background, scenario.stream.start)
    except Rejected:
        return

    def seen(stream: AnswerStream) -> frozenset[Fact]:
        return frozenset(fact for fact in stream.now if fact.signature in shown)

    before: AnswerStream | None = None
    for time in scenario.times:
        reasoner.advance(time, [arrival.fact for arrival in scenario.stream.input if arrival.time == time])
        streams = [stream for stream in reasoner.answer(None).answer_streams if not stream.at]
        if before is not None and streams:
            if before in streams:
                assert streams[0] == before
            elif seen(before) in map(seen, streams):
                assert seen(streams[0]) == seen(before)
        before = streams[0] if streams else None
