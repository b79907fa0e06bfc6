"""An output as it is written: text or JSON, the whole model or its changes; prospects are on lines marked by `?`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import TypeAlias

from larspark.hypothetical.answers.prospect import Prospect
from larspark.language.facts import Fact, fact_order
from larspark.tick.lookout import Foreseen
from larspark.tick.ordered import OrderedTexts
from larspark.tick.output import Output

Rendering: TypeAlias = Callable[[Output], str]
"""Called with every output of a run, in order."""

Spelling: TypeAlias = Callable[[Fact], str]
"""How an atom is written."""

NO_ANSWER_STREAM = "no answer stream"


class ModelText:
    """`41: a(1), b(x)`, then `41? c(1) at 43: seen a(1) at 41; needs a(1) at 43` for each prospect."""

    def __init__(self, spell: Spelling = str) -> None:
        self._model = OrderedTexts(spell)

    def __call__(self, output: Output) -> str:
        _follow(self._model, output)
        model = self._model.joined() or "-" if output.consistent else NO_ANSWER_STREAM
        prospects = (prospect.text for foreseen in output.foreseen for prospect in foreseen.prospects)
        return _with_prospects(output, model, prospects)


class ModelJson:
    """`{"time": 41, "count": 7, "model": ["a(1)", "b(x)"]}`; the model is null when there is no answer stream.

    With goals to look out for, `"foreseen": [{"goal": "c(X)", "answers": […]}]`.
    """

    def __init__(self, spell: Spelling = str) -> None:
        self._model = OrderedTexts(lambda fact: _as_json(spell(fact)))

    def __call__(self, output: Output) -> str:
        _follow(self._model, output)
        model = f"[{self._model.joined()}]" if output.consistent else "null"
        return _object(output, {"model": model}, lambda one: {"answers": _answers(one.prospects)})


def changes_as_text(output: Output, spell: Spelling = str) -> str:
    """`41: + b(x), - a(1)`, then `41? + …` and `41? - …` for prospects."""
    parts = [f"+ {text}" for text in _texts(output.appeared, spell)]
    parts += [f"- {text}" for text in _texts(output.disappeared, spell)]
    model = ", ".join(parts) or "=" if output.consistent else NO_ANSWER_STREAM
    prospects = [f"+ {one.text}" for foreseen in output.foreseen for one in foreseen.appeared]
    prospects += [f"- {one.text}" for foreseen in output.foreseen for one in foreseen.disappeared]
    return _with_prospects(output, model, prospects)


def changes_as_json(output: Output, spell: Spelling = str) -> str:
    """`{"time": 41, "count": 7, "appeared": ["b(x)"], "disappeared": ["a(1)"], "consistent": true}`.

    With goals to look out for, `"foreseen": [{"goal": "c(X)", "appeared": […], "disappeared": […]}]`.
    """
    fields = {
        "appeared": _as_json(_texts(output.appeared, spell)),
        "disappeared": _as_json(_texts(output.disappeared, spell)),
        "consistent": _as_json(output.consistent),
    }
    return _object(
        output,
        fields,
        lambda one: {"appeared": _answers(one.appeared), "disappeared": _answers(one.disappeared)},
    )


def _follow(model: OrderedTexts, output: Output) -> None:
    model.remove(output.disappeared)
    model.add(output.appeared)


def _texts(facts: Iterable[Fact], spell: Spelling) -> list[str]:
    return [spell(fact) for fact in sorted(facts, key=fact_order)]


def _with_prospects(output: Output, model: str, prospects: Iterable[str]) -> str:
    time = output.tick.time
    return "\n".join([f"{time}: {model}", *(f"{time}? {prospect}" for prospect in prospects)])


def _object(output: Output, fields: dict[str, str], foreseen: Callable[[Foreseen], dict[str, object]]) -> str:
    """A JSON object whose fields are JSON already, so that a large model is not read again to be written."""
    found = {"time": str(output.tick.time), "count": str(output.tick.count), **fields}
    if output.foreseen:
        found["foreseen"] = _as_json([{"goal": one.goal, **foreseen(one)} for one in output.foreseen])
    return "{" + ", ".join(f'"{name}": {value}' for name, value in found.items()) + "}"


def _answers(prospects: Iterable[Prospect]) -> list[dict[str, object]]:
    return [prospect.as_json() for prospect in prospects]


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
