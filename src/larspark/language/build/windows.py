"""From the grammar's parse tree to windows, wrapped around the formula they follow."""

from __future__ import annotations

from collections.abc import Mapping

from lark import Token, Tree

from larspark.language.build.keys import KeyBuilder
from larspark.language.build.terms import ParseTree, leaf, trees
from larspark.language.tree import (
    HALF_OPEN,
    UNBOUNDED,
    Constant,
    Duration,
    Extent,
    FilterWindow,
    Formula,
    IntervalWindow,
    PartitionWindow,
    Pattern,
    RegisteredWindow,
    Reset,
    SessionWindow,
    TimeWindow,
    TupleWindow,
    Window,
    Windowed,
)


class WindowBuilder(KeyBuilder):
    """Builds chains of windows."""

    def windowed(self, body: Formula, windows: ParseTree) -> Formula:
        """`body [v] [w]`: the left window is applied first, so it is the outer one."""
        for tree in reversed(trees(windows)):
            origin = self.origin(tree)
            for window in reversed(self._window(trees(tree)[0], body)):
                body = Windowed(window, body, origin=body.origin.to(origin) if body.origin else origin)
            if isinstance(tree.children[0], Token):  # [input w] is ▷⊞^w
                body = Reset(body, origin=body.origin)
        return body

    def _window(self, tree: ParseTree, body: Formula) -> list[Window]:
        origin = self.origin(tree)
        match tree.data:
            case "time_window":
                return [self._time_window(tree)]
            case "half_open_window":
                *hops, length = map(self.size, trees(tree))
                return [TimeWindow(length, HALF_OPEN, hops[0] if hops else length, origin=origin)]
            case "tuple_window":
                return self._tuple_windows(tree, body)
            case "session_window":
                return self._session(tree, body)
            case "registered_window":
                name, *values = tree.children
                args = tuple(self.value(value) for value in values if isinstance(value, Tree))
                return [RegisteredWindow(str(name), args, origin=origin)]
            case "filter_window":
                return [FilterWindow(tuple(map(self._pattern, trees(tree))), origin=origin)]
            case "interval_window":
                start, end = map(self.term, trees(tree))
                return [IntervalWindow(start, end, origin=origin)]
        raise AssertionError(tree.data)

    def _time_window(self, tree: ParseTree) -> TimeWindow:
        parts = {str(part.data): part for part in trees(tree)}
        past = self._extent(parts.get("past"))
        hop: Extent = 1
        if "hop" in parts:
            sizes = trees(parts["hop"])
            hop = self.size(sizes[0]) if sizes else past  # a tumbling window hops by its own length
        return TimeWindow(past, self._extent(parts.get("future")), hop, origin=self.origin(tree))

    def _tuple_windows(self, tree: ParseTree, body: Formula) -> list[Window]:
        origin = self.origin(tree)
        parts = {str(part.data): part for part in trees(tree)}
        past, future = self._extent(parts.get("past")), self._extent(parts.get("future"))
        if isinstance(past, Duration) or isinstance(future, Duration):
            hint = "Write `[3 #]` for atoms or `[3 s]` for time."
            self.problem("E109", "A tuple window counts atoms, not time.", hint, tree)
        whole = any(isinstance(child, Token) and child.type == "WHOLE" for child in tree.children)
        if "per" in parts:
            keyed = self.keyed(parts["per"], parts.get("of"), body, parts["per"], "[1 # of tram/2 per 1]")
            return [PartitionWindow(past, future, keyed, whole, origin=origin)] if keyed else []
        patterns = self._of(parts)
        chain: list[Window] = [FilterWindow(patterns, origin=origin)] if patterns else []
        return [*chain, TupleWindow(past, future, whole, origin=origin)]

    def _session(self, tree: ParseTree, body: Formula) -> list[Window]:
        parts = {str(part.data): part for part in trees(tree)}
        per, example = parts.get("per"), "[session 10 s of tram/2 per 1]"
        if per is not None and not per.children:
            hint = "Say what tells sessions apart, `[session 10 s per Id]`, or leave `per` out for one session of all."
            self.problem("E108", "`per` names no key.", hint, per)
            return []
        if per is None:
            example = "[session 10 s of tram/2]"
        keyed = self.keyed(per, parts.get("of"), body, tree, example)
        return [SessionWindow(self.size(parts["size"]), keyed, origin=self.origin(tree))] if keyed else []

    def _of(self, parts: Mapping[str, ParseTree]) -> tuple[Pattern, ...]:
        return tuple(map(self._pattern, trees(parts["of"]))) if "of" in parts else ()

    def _pattern(self, tree: ParseTree) -> Pattern:
        origin = self.origin(tree)
        first = tree.children[0]
        if not isinstance(first, Token):
            signature = self.signature(first)
            return Pattern(signature.predicate, (None,) * signature.arity, origin=origin)
        for child in tree.children[1:]:
            if isinstance(child, Token) and child.type == "VARIABLE":
                hint = "Write `_` for any value; behind `of`, a variable names a key: `[1 # of on(D), off(_,D) per D]`."
                self.problem("E108", f"A filter has no variables such as `{child}`.", hint, child)
        args = tuple(None if isinstance(child, Token) else self.value(child) for child in tree.children[1:])
        return Pattern(self.symbol(first), args, origin=origin)

    def _extent(self, tree: ParseTree | None) -> Extent:
        return 0 if tree is None else self.size(trees(tree)[0])

    def size(self, tree: ParseTree) -> Extent:
        if durations := trees(tree):
            return self.duration(durations[0])
        token = leaf(tree, 0)
        match token.type:
            case "INT":
                return self.integer(token)
            case "ALL":
                return UNBOUNDED
            case _:
                return Constant(self.symbol(token), origin=self.origin(token))
