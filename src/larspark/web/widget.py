"""The timeline of a result as a widget of a notebook: the page, which asks the kernel why and why not.

It needs anywidget (`larspark[notebook]`); without it a result is shown by the page in a frame, with the proofs that it
brings along.
"""

from __future__ import annotations

import json
from typing import Any

import anywidget
import traitlets

from larspark.diagnostics import Rejected
from larspark.explain.faces.face import why_explanation, why_not_explanation
from larspark.python.answers import Intervals
from larspark.questions.explaining import Case
from larspark.web.module import script, style
from larspark.web.picture import proof_json

ROWS = 1000
"""Rows of the table that are sent."""
VIEW = "application/vnd.jupyter.widget-view+json"


class TimelineWidget(anywidget.AnyWidget):
    """Shows a picture; questions come as messages, and so do the answers."""

    _esm = f"{script()}\nexport default {{ render: $widget.render }};\n"
    picture = traitlets.Unicode().tag(sync=True)
    style = traitlets.Unicode().tag(sync=True)
    rows: traitlets.List[dict[str, Any]] = traitlets.List().tag(sync=True)

    def __init__(self, case: Case, picture: dict[str, Any], rows: list[dict[str, Any]]) -> None:
        super().__init__(picture=json.dumps(picture, ensure_ascii=False), style=style(), rows=rows)
        self._case = case
        self.on_msg(self._asked)

    def _asked(self, _widget: object, message: Any, _buffers: object) -> None:
        self.send({"id": message["id"], "answer": answer(self._case, message["ask"], message["atom"], message["at"])})


def answer(case: Case, ask: str, atom: str, at: int) -> dict[str, Any]:
    """An explanation as the page shows it, or why there is none."""
    try:
        if ask == "why":
            return proof_json(why_explanation(case.why(atom, at)[0]))
        return proof_json(why_not_explanation(case.why_not(atom, at)))
    except Rejected as rejected:
        return {"diagnostics": [{"message": one.message, "hint": one.hint} for one in rejected.diagnostics]}


def widget_of(found: Intervals, picture: dict[str, Any]) -> TimelineWidget:
    assert found.case is not None
    rows = [{name: _cell(value) for name, value in row.items()} for row in found.to_pylist()[:ROWS]]
    return TimelineWidget(found.case(), picture, rows)


def _cell(value: Any) -> Any:
    return value if value is None or isinstance(value, int | float | str) else str(value)
