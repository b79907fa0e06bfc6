"""Parts of the tick engine, with time in the hand of the test."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from larspark.analysis.pipeline import Analysis
from larspark.cli.display.tick_disagreement import describe
from larspark.language.facts import Fact
from larspark.language.tree import Duration
from larspark.reasoners.answer_update import AnswerUpdateReasoner
from larspark.reasoners.interval import IntervalReasoner
from larspark.reasoners.protocol import Answer, AnswerStream, Change, Reasoner
from larspark.runtime.admission import Admission
from larspark.tick.agreement import AgreeingReasoner, Disagreement
from larspark.tick.clock import HandClock, Pace, WallClock
from larspark.tick.engine import TickEngine
from larspark.tick.intake import Intake, SignalBatch
from larspark.tick.output import Output
from larspark.tick.renderings import ModelText
from larspark.tick.runner import Runner, Setup, TimeFrom
from larspark.tick.signals import Signal
from larspark.tick.timing import EveryPoints, EverySignals, OnChange
from support.analysed import analysed
from support.vectors import fact

SECOND = Duration(1, "s")


# -- clocks ----------------------------------------------------------------------------------------


def test_wall_clock_counts_time_points() -> None:
    seconds = [100.0]
    clock = WallClock(Duration(250, "ms"), 40, lambda: seconds[0])
    assert clock.now() == 40
    seconds[0] = 100.8
    assert clock.now() == 43
    assert clock.until(44) == pytest.approx(0.2)


def test_replay_keeps_its_pace() -> None:
    seconds = [0.0]

    def sleep(delay: float) -> None:
        seconds[0] += delay

    pace = Pace(SECOND, 2.0, lambda: seconds[0], sleep)
    reached = []
    for point in (10, 12, 13):
        pace.wait_for(point, lambda: False)
        reached.append(seconds[0])
    assert reached == [0.0, 1.0, 1.5]
    pace.wait_for(1000, lambda: True)
    assert seconds[0] == 1.5


# -- the engine ------------------------------------------------------------------------------------


def outputs_of(timing: OnChange | EverySignals | EveryPoints, text: str, *events: tuple[int, str]) -> list[str]:
    lines: list[str] = []
    reasoner, render = AnswerUpdateReasoner(analysed(text)), ModelText()
    engine = TickEngine(reasoner, 0, timing, lambda _: True, lambda output: lines.append(render(output)))
    for time, atom in events:
        engine.arrive(time, fact(atom))
    engine.finish()
    return lines


def test_signals_of_one_time_point_are_evaluated_there() -> None:
    """
    a at 1, a at 4; [1] sees it at 1, 2 and 4
    time   0 1 2 3 4
    p        # #   #
    """
    program = "p :- a [1]."
    assert outputs_of(EveryPoints(1), program, (1, "a"), (4, "a")) == ["1: a, p", "2: p", "3: -", "4: a, p"]
    assert outputs_of(OnChange(), program, (1, "a"), (4, "a")) == ["1: a, p", "2: p", "3: -", "4: a, p"]
    assert outputs_of(EverySignals(1), program, (1, "a"), (4, "a")) == ["1: a, p", "4: a, p"]
    assert outputs_of(EverySignals(2), program, (1, "a"), (4, "a"), (4, "b")) == ["4: a, p"]


@pytest.mark.parametrize("make", [AnswerUpdateReasoner, IntervalReasoner])
def test_idle_time_points_are_not_evaluated(make: Callable[[Analysis], Reasoner]) -> None:
    outputs: list[Output] = []
    engine = TickEngine(make(analysed("p :- a [9].")), 0, OnChange(), lambda _: True, outputs.append)
    engine.arrive(5, fact("a"))
    engine.pass_time(10**12)
    engine.arrive(10**12, fact("a"))
    assert [output.tick.time for output in outputs] == [5, 6, 15, 10**12]
    assert engine.summary.ticks == 10**12 + 2
    assert engine.summary.evaluations < 10


def test_no_answer_stream_is_written() -> None:
    assert outputs_of(OnChange(), ":- a [1].", (1, "a"), (5, "b")) == ["1: no answer stream", "3: -", "5: b"]


def test_facts_of_the_program_are_written_at_the_start() -> None:
    assert outputs_of(OnChange(), "p(1).") == ["0: p(1)"]


# -- the runner ------------------------------------------------------------------------------------


class Script:
    """A source that says its lines at once, each at the time of a clock."""

    name = "script"

    def __init__(self, clock: HandClock, events: Sequence[tuple[int, str, int | None]]) -> None:
        self._clock, self._events = clock, events

    def start(self, intake: Intake) -> None:
        for arrives, atom, time in self._events:
            self._clock.point = arrives
            intake.put([Signal(fact(atom), time)])
        intake.end(self.name)

    def close(self) -> None:
        pass


class Lines:
    """A sink that keeps what it gets."""

    dropped = 0
    gone = False

    def __init__(self) -> None:
        self.lines: list[str] = []

    def write(self, *lines: bytes) -> None:
        self.lines += [line.decode().removesuffix("\n") for line in lines]

    def abandon(self) -> None:
        pass

    def close(self) -> None:
        pass


def played(events: Sequence[tuple[int, str, int | None]], time_from: TimeFrom = TimeFrom.AUTO) -> list[str]:
    analysis = analysed("p(X) :- a(X) [1].")
    clock, sink = HandClock(), Lines()

    def engine(start: int, write: object) -> TickEngine:
        assert callable(write)
        return TickEngine(AnswerUpdateReasoner(analysis, start=start), start, OnChange(), lambda _: True, write)

    runner = Runner(
        Setup(
            engine,
            Admission(analysis),
            clock,
            Pace(SECOND, None),
            [Script(clock, events)],
            [sink],
            ModelText(),
            time_from,
        )
    )
    runner.run()
    runner.close()
    return sink.lines


def test_lines_without_time_are_stamped_by_the_clock() -> None:
    assert played([(2, "a(1)", None), (5, "a(2)", None)]) == ["2: a(1), p(1)", "3: p(1)", "4: -", "5: a(2), p(2)"]


def test_lines_with_time_move_the_simulated_clock() -> None:
    assert played([(0, "a(1)", 7), (0, "a(2)", None), (0, "a(3)", 9)]) == [
        "7: a(1), p(1)",
        "7: a(1), a(2), p(1), p(2)",
        "8: p(1), p(2)",
        "9: -",
        "9: a(3), p(3)",
    ]


def test_times_in_lines_are_ignored_when_the_wall_clock_is_asked_for() -> None:
    assert played([(1, "a(1)", 70)], TimeFrom.WALL) == ["1: a(1), p(1)"]


def test_the_intake_keeps_order_and_knows_the_present() -> None:
    clock = HandClock(3)
    intake = Intake(clock)
    assert intake.present() == 3
    intake.put([Signal(fact("a"), None)])
    assert intake.present() is None
    assert intake.get(0) == SignalBatch(3, [Signal(fact("a"), None)])
    assert intake.get(0) is None


# -- two reasoners ---------------------------------------------------------------------------------


class Fixed:
    """A reasoner with a given list of answer streams."""

    def __init__(self, *answers: str) -> None:
        self._streams = tuple(AnswerStream(frozenset(map(fact, answer.split()))) for answer in answers)

    def advance(self, time: int, atoms: Sequence[Fact] = ()) -> Change:
        return Change(time)

    def answer(self, models: int | None = 1) -> Answer:
        return Answer(4, self._streams[:models])


def test_different_choices_of_the_same_program_agree() -> None:
    AgreeingReasoner({"one": Fixed("a", "b"), "other": Fixed("b")}).advance(0)


@pytest.mark.parametrize(("one", "other"), [(["a"], ["b"]), (["a"], []), (["a", "b"], ["c"])])
def test_the_first_difference_stops_the_run(one: list[str], other: list[str]) -> None:
    pair = AgreeingReasoner({"one": Fixed(*one), "other": Fixed(*other)})
    with pytest.raises(Disagreement) as raised:
        pair.advance(4, [fact("x(1)")])
    assert raised.value.stream == [(4, fact("x(1)"))]
    text = describe(raised.value, "text")
    assert text.startswith("one and other disagree:\n  one at 4: a\n  other at 4: ")
    assert text.endswith('The stream so far:\n{"time": 4, "atom": "x(1)"}')


def test_outputs_can_be_compared() -> None:
    outputs: list[Output] = []
    engine = TickEngine(AnswerUpdateReasoner(analysed("p :- a.")), 0, OnChange(), lambda _: True, outputs.append)
    engine.arrive(1, fact("a"))
    engine.pass_time(2)
    assert [(o.appeared, o.disappeared) for o in outputs] == [
        ({fact("a"), fact("p")}, set()),
        (set(), {fact("a"), fact("p")}),
    ]
    assert not engine.arrive(1, fact("a"))
    assert engine.summary.late == 1
