"""An output as it is written: text or JSON, the whole model or its changes; prospects are on lines marked by `?`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import TypeAlias

from larspark.hypothetical.prospect import Prospect
from larspark.runtime.tick.lookout import Foreseen
from larspark.runtime.tick.output import Output

Rendering: TypeAlias = Callable[[Output], str]


def as_text(output: Output) -> str:
    """`41: a(1), b(x)`, then `41? c(1) at 43: seen a(1) at 41; needs a(1) at 43` for each prospect."""
    prospects = (prospect.text for foreseen in output.foreseen for prospect in foreseen.prospects)
    return _with_prospects(output, f"{output.tick.time}: {_holds(output)}", prospects)


def as_json(output: Output) -> str:
    """`{"time": 41, "count": 7, "model": ["a(1)", "b(x)"]}`; the model is null when there is no answer stream.

    With goals to look out for, `"foreseen": [{"goal": "c(X)", "answers": […]}]`.
    """
    model = None if output.model is None else [str(fact) for fact in output.model]
    return _json(output, {"model": model}, lambda one: {"answers": _answers(one.prospects)})


def changes_as_text(output: Output) -> str:
    """`41: + b(x), - a(1)`, then `41? + …` and `41? - …` for prospects."""
    parts = [f"+ {fact}" for fact in output.appeared] + [f"- {fact}" for fact in output.disappeared]
    model = _holds(output) if output.model is None else ", ".join(parts) or "="
    prospects = [f"+ {one.text}" for foreseen in output.foreseen for one in foreseen.appeared]
    prospects += [f"- {one.text}" for foreseen in output.foreseen for one in foreseen.disappeared]
    return _with_prospects(output, f"{output.tick.time}: {model}", prospects)


def changes_as_json(output: Output) -> str:
    """`{"time": 41, "count": 7, "appeared": ["b(x)"], "disappeared": ["a(1)"], "consistent": true}`.

    With goals to look out for, `"foreseen": [{"goal": "c(X)", "appeared": […], "disappeared": […]}]`.
    """
    fields = {
        "appeared": [str(fact) for fact in output.appeared],
        "disappeared": [str(fact) for fact in output.disappeared],
        "consistent": output.model is not None,
    }
    return _json(
        output,
        fields,
        lambda one: {"appeared": _answers(one.appeared), "disappeared": _answers(one.disappeared)},
    )


def _holds(output: Output) -> str:
    return "no answer stream" if output.model is None else ", ".join(map(str, output.model)) or "-"


def _with_prospects(output: Output, line: str, prospects: Iterable[str]) -> str:
    return "\n".join([line, *(f"{output.tick.time}? {prospect}" for prospect in prospects)])


def _json(output: Output, fields: dict[str, object], foreseen: Callable[[Foreseen], dict[str, object]]) -> str:
    found: dict[str, object] = {"time": output.tick.time, "count": output.tick.count, **fields}
    if output.foreseen:
        found["foreseen"] = [{"goal": one.goal, **foreseen(one)} for one in output.foreseen]
    return json.dumps(found, ensure_ascii=False)


def _answers(prospects: Iterable[Prospect]) -> list[dict[str, object]]:
    return [prospect.as_json() for prospect in prospects]
