"""How a disagreement between two reasoners is told."""

from __future__ import annotations

import json

from larspark.cli.display.answers import stream_as_json, stream_as_text
from larspark.reasoners.protocol import Answer
from larspark.tick.agreement import Disagreement


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
    return {"time": answer.time, "answer_streams": [stream_as_json(one) for one in answer.answer_streams]}


def _as_text(answer: Answer) -> str:
    return " | ".join(map(stream_as_text, answer.answer_streams)) or "no answer stream"
