"""How a disagreement between two reasoners is told."""

from __future__ import annotations

import json

from larspark.language.facts import Fact, fact_order
from larspark.reasoners.protocol import Answer, AnswerStream
from larspark.runtime.tick.agreement import Disagreement


def describe(disagreement: Disagreement, style: str) -> str:
    """Both answers, and the stream up to there as recorded streams are written."""
    stream = [{"time": time, "atom": str(fact)} for time, fact in disagreement.stream]
    answers = {name: _as_data(answer) for name, answer in disagreement.answers.items()}
    if style == "json":
        return json.dumps({"disagreement": answers, "stream": stream}, ensure_ascii=False)
    lines = [f"{disagreement}:"]
    for name, answer in disagreement.answers.items():
        lines.append(f"  {name} at {answer.time}: {_as_text(answer)}")
    return "\n".join([*lines, "The stream so far:", *map(json.dumps, stream)])


def _as_data(answer: Answer) -> dict[str, object]:
    streams = [
        {"now": _sorted(one.now), "at": {str(time): _sorted(facts) for time, facts in sorted(one.at.items())}}
        for one in answer.answer_streams
    ]
    return {"time": answer.time, "answer_streams": streams}


def _as_text(answer: Answer) -> str:
    return " | ".join(map(_stream_as_text, answer.answer_streams)) or "no answer stream"


def _stream_as_text(stream: AnswerStream) -> str:
    pinned = [f"@{time} {fact}" for time, facts in sorted(stream.at.items()) for fact in _sorted(facts)]
    return ", ".join([*_sorted(stream.now), *pinned]) or "-"


def _sorted(facts: frozenset[Fact]) -> list[str]:
    return [str(fact) for fact in sorted(facts, key=fact_order)]
