"""The answer streams of a program over a recorded stream, at every time point.

At each evaluated time point t the program is evaluated on the data up to t. `now` lists the derived atoms that
hold at t, `at` those that hold at another time point; a program without an answer stream at t says so.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass

from larspark.cli.answers import in_order, stream_as_json, stream_as_text
from larspark.cli.arguments import add_program_arguments, add_stream_arguments, load_recording, load_task
from larspark.cli.plan import add_rewrites_argument
from larspark.language.facts import Fact, Signature
from larspark.reasoners.protocol import Answer, AnswerStream, Reasoner
from larspark.reasoners.registry import DEFAULT, REASONERS
from larspark.runtime.recording import Recording

EXAMPLE = """\
  larspark eval examples/transport.lars --stream examples/transport.jsonl
  larspark eval program.lars --stream - --timeline 0 50 --at 42 --models all --format json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_program_arguments(parser)
    add_stream_arguments(parser)
    parser.add_argument("--at", type=int, metavar="T", help="evaluate at this time point only")
    parser.add_argument("--ticks", action="store_true", help="evaluate after every arriving atom, not per time point")
    parser.add_argument(
        "--models", type=_models, default=1, metavar="1|N|all", help="how many answer streams (default: 1)"
    )
    parser.add_argument(
        "--reasoner", default=DEFAULT, metavar="R", help=f"one of {', '.join(REASONERS)} (default: {DEFAULT})"
    )
    add_rewrites_argument(parser, "--optimise", "rewrite the program before it is evaluated (see check --plan)")


def _models(text: str) -> int | None:
    if text == "all":
        return None
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError("a positive number, or `all`")
    return int(text)


def run(arguments: argparse.Namespace) -> int:
    task = load_task(arguments)
    recording = load_recording(arguments, task.calendar, task.analysis)
    evaluated = task.optimised(arguments.optimise) if arguments.optimise else task
    reasoner = evaluated.reasoner(arguments.reasoner, recording.start)
    show = as_json if arguments.format == "json" else as_text
    plan = Evaluation(task.analysis.shown, arguments.at, arguments.ticks, arguments.models)
    for answer in evaluate(reasoner, recording, plan):
        print(show(answer))
    return 0


def evaluate(reasoner: Reasoner, recording: Recording, plan: Evaluation) -> Iterator[Answer]:
    """The answers in evaluation order."""
    count = 0
    for time, facts in recording.time_points(recording.end if plan.at is None else plan.at):
        wanted = plan.at is None or time == plan.at
        if plan.ticks:
            for fact in facts:
                reasoner.advance(time, [fact])
                count += 1
                if wanted:
                    yield plan.shown_part(reasoner.answer(plan.models), count)
        else:
            reasoner.advance(time, facts)
            if wanted:
                yield plan.shown_part(reasoner.answer(plan.models))


@dataclass(frozen=True)
class Evaluation:
    """When to evaluate, how many answer streams to ask for, and what to show of them."""

    shown: frozenset[Signature]
    at: int | None = None
    ticks: bool = False
    models: int | None = 1

    def shown_part(self, answer: Answer, count: int | None = None) -> Answer:
        """Only what `#show` names; answer streams that then look alike are one."""
        looks: dict[object, AnswerStream] = {}
        for stream in answer.answer_streams:
            at = {time: kept for time, facts in stream.at.items() if (kept := self._shown(facts))}
            part = AnswerStream(self._shown(stream.now), at)
            looks.setdefault((part.now, frozenset(at.items())), part)
        return Answer(answer.time, tuple(looks.values()), count)

    def _shown(self, facts: frozenset[Fact]) -> frozenset[Fact]:
        return frozenset(fact for fact in facts if fact.signature in self.shown)


def as_json(answer: Answer) -> str:
    streams = [stream_as_json(stream) for stream in in_order(answer.answer_streams)]
    tick = {} if answer.count is None else {"count": answer.count}
    return json.dumps({"time": answer.time, **tick, "answer_streams": streams}, ensure_ascii=False)


def as_text(answer: Answer) -> str:
    label = f"{answer.time}" if answer.count is None else f"{answer.time} #{answer.count}"
    if not answer.answer_streams:
        return f"{label}: no answer stream"
    several = len(answer.answer_streams) > 1
    lines = []
    for number, stream in enumerate(in_order(answer.answer_streams), 1):
        choice = f" ({number})" if several else ""
        lines.append(f"{label}{choice}: {stream_as_text(stream)}")
    return "\n".join(lines)
