"""Questions to a running engine, as lines between the signals: `? why alarm(press)`, `? why-not alarm(saw)`."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from larspark.diagnostics import Diagnostic, Rejected
from larspark.reasoners.protocol import Reasoner
from larspark.runtime.prepared import Prepared

MARK = b"?"
"""What a question begins with; no signal does."""

Ask: TypeAlias = Callable[[str], str]
"""From a question to the lines of its answer."""


@dataclass(frozen=True)
class LiveQuestions:
    """Answers questions about what holds now."""

    prepared: Prepared
    as_json: bool = False

    def answer(self, text: str, reasoner: Reasoner | None, start: int) -> str:
        """The explanation, or what is wrong with the question; one line if it is JSON."""
        try:
            return self._explained(text, reasoner, start)
        except Rejected as rejected:
            found = rejected.diagnostics[0]
            if self.as_json:
                return json.dumps({"question": text, "code": found.code, "message": found.message, "hint": found.hint})
            return f"? {text}: {found.message} {found.hint}".rstrip()

    def _explained(self, text: str, reasoner: Reasoner | None, start: int) -> str:
        from larspark.explain.faces.face import why_explanation, why_not_explanation  # noqa: PLC0415 - loaded on request
        from larspark.questions.live_case import live_case  # noqa: PLC0415
        from larspark.reasoners.interval import IntervalReasoner  # noqa: PLC0415
        from larspark.runtime.running import IntervalRunning  # noqa: PLC0415

        ask, _, atom = text.partition(" ")
        if ask not in ("why", "why-not"):
            message = f"`{text}` is no question."
            raise Rejected([Diagnostic("E561", message, "Ask `? why alarm(press)` or `? why-not alarm(saw)`.")])
        if not isinstance(reasoner, IntervalReasoner):
            message = "Only the interval reasoner answers questions while it runs, after its first evaluation."
            raise Rejected([Diagnostic("E566", message, "Use `--reasoner interval`, or ask about a recording.")])
        running = IntervalRunning(self.prepared, "interval", start, 0, reasoner)
        case = live_case(running, max(reasoner.time, start), atom, ask)
        if ask == "why":
            found = why_explanation(case.why(atom, case.end)[0])
        else:
            found = why_not_explanation(case.why_not(atom, case.end))
        return json.dumps(found.json, ensure_ascii=False) if self.as_json else found.text
