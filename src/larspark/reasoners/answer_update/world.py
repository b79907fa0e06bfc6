"""What the strata below have decided at an evaluation, together with the input: what the next stratum reads."""

from __future__ import annotations

from collections.abc import Mapping

from larspark.language.calendar import Calendar
from larspark.language.evaluate import Functions
from larspark.language.facts import Signature
from larspark.reasoners.answer_update.nodes import LiteralView
from larspark.reasoners.answer_update.views import Derived, FixedInput, ViewRows, look


class ChoiceWorld:
    """Input plus the conclusions of the lower strata; every choice below makes another world."""

    def __init__(
        self,
        given: FixedInput,
        functions: Functions | None = None,
        calendar: Calendar | None = None,
    ) -> None:
        self._input = given
        self._derived: dict[Signature, Derived] = {}
        self._rows: dict[LiteralView, ViewRows] = {}
        self.functions = functions
        self.calendar = calendar

    @property
    def time(self) -> int:
        return self._input.time

    @property
    def start(self) -> int:
        return self._input.start

    def push_up(self, conclusions: Mapping[Signature, Derived]) -> ChoiceWorld:
        """This world with the conclusions of one more stratum, as input for the next."""
        higher = ChoiceWorld(self._input, self.functions, self.calendar)
        higher._derived = {**self._derived, **conclusions}
        higher._rows = dict(self._rows)
        return higher

    def rows(self, view: LiteralView) -> ViewRows:
        derived = self._derived.get(view.signature)
        if derived is None:
            return self._input.rows(view)
        if view not in self._rows:
            self._rows[view] = look(self._input, view, derived)
        return self._rows[view]
