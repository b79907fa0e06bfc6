"""What a chain of windows asks of arguments and times, with codes for its constants."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from larspark.analysis.structure.window_chains import Chain, CountedWindow
from larspark.language.facts import Signature
from larspark.language.tree import Constant, IntervalWindow, Pattern
from larspark.reasoners.interval.network import Body, Clip, Compare, Operand, Sieve
from larspark.reasoners.interval.state.dictionary import Dictionary


@dataclass(frozen=True)
class WindowConditions:
    """Conditions as parts of core rules; the timeline begins at `start`."""

    dictionary: Dictionary
    start: int

    def at(
        self, signature: Signature, selected: Chain, arguments: tuple[Operand, ...], time: Operand
    ) -> Iterator[Body]:
        """The windows as conditions on a time point; one alternative for each choice of patterns."""
        clips = tuple(
            Clip(time, past, future, hop)
            for past, future, hop in selected.times
            if past is not None or future is not None
        )
        for filters in self.filters(signature, selected, arguments):
            yield *clips, *self.spans(selected, time), *filters

    def filters(self, signature: Signature, selected: Chain, arguments: tuple[Operand, ...]) -> Iterator[Body]:
        choices = [
            [self._pattern(pattern, arguments) for pattern in patterns if _matches(pattern, signature)]
            for patterns in selected.filters
        ]
        for choice in product(*choices):
            yield tuple(condition for conditions in choice for condition in conditions)

    def _pattern(self, pattern: Pattern, arguments: tuple[Operand, ...]) -> Body:
        return tuple(
            Compare("=", argument, self.dictionary.encode(value))
            for argument, value in zip(arguments, pattern.args, strict=True)
            if value is not None
        )

    def spans(self, selected: Chain, time: Operand) -> Body:
        return tuple(
            condition
            for span in selected.spans
            for condition in (Compare(">=", time, self._code(span.start)), Compare("<=", time, self._code(span.end)))
        )

    def nonempty(self, selected: Chain) -> Body:
        """The condition under which the one window of a chain has a time point."""
        start = self.dictionary.encode(self.start)
        reach = tuple(Clip(start, None, future, hop) for _, future, hop in selected.times if future is not None)
        ends = tuple(
            Compare(">=", self._code(span.end), bound)
            for span in selected.spans
            for bound in (self._code(span.start), start)
        )
        return *reach, *ends

    def at_start(self) -> Clip:
        """At the first time point of the timeline."""
        return Clip(self.dictionary.encode(self.start), 0, 0)

    def sieve(self, size: CountedWindow) -> Sieve:
        """The filters before a window that counts."""
        return tuple(
            tuple(
                (
                    Signature(pattern.predicate, len(pattern.args)),
                    tuple(None if value is None else self.dictionary.encode(value) for value in pattern.args),
                )
                for pattern in patterns
            )
            for patterns in size.filters
        )

    def _code(self, term: object) -> int:
        if not isinstance(term, Constant):
            raise TypeError(f"{term} is not a constant")
        return self.dictionary.encode(term.value)


def bounds(span: IntervalWindow) -> tuple[int, int]:
    """The constant bounds of an interval window; nothing lies between others than integers."""
    match span:
        case IntervalWindow(Constant(int(first)), Constant(int(last))):
            return first, last
    return 0, -1


def _matches(pattern: Pattern, signature: Signature) -> bool:
    return pattern.predicate == signature.predicate and len(pattern.args) == signature.arity
