"""Elements that are read straight from where they are stored already, instead of being stored once more.

A rule that only copies rows of one stored relation into the elements of an aggregate makes exactly as many elements as
that relation has rows. For the smallest and the largest it may make fewer: there it does not matter how often a value
occurs. Parts of an aggregate that are fed by the same rows are one. Where elements must be stored, views that only they
are made of need not be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from larspark.reasoners.interval.lowering.wiring import Wiring
from larspark.reasoners.interval.network import (
    Aggregated,
    Compare,
    CoreRule,
    Feed,
    Kind,
    Listed,
    Match,
    Network,
    Operand,
    Relation,
)

EXTREMES = frozenset({"min", "max"})


def feed_aggregates(network: Network) -> None:
    """Replace rules for elements by feeds where that can be done; views that nobody reads then are not kept."""
    wiring = Wiring(network)
    _read_below_views(network, wiring)
    for place, node in enumerate(network.operators):
        if isinstance(node, Aggregated):
            wiring.exchange_operator(place, _Feeding(wiring, node).fed())
        elif isinstance(node, Listed):
            rules = wiring.rules(node.source)
            feed = _feed(rules[0]) if len(rules) == 1 else None
            if feed is not None and _is_one_to_one(feed):
                wiring.remove(rules[0])
                wiring.exchange_operator(place, replace(node, feeds=(feed,), only_fed=True))
    _drop_unread(wiring)
    wiring.finish()


class _Feeding:
    """The feeds of one aggregate."""

    def __init__(self, wiring: Wiring, node: Aggregated) -> None:
        self._wiring, self._node = wiring, node
        self._rules: dict[int, CoreRule] = {}
        """By part, where one rule makes all elements of it."""
        rules = wiring.rules(node.source)
        for part in range(node.parts):
            own = [rule for rule in rules if node.parts == 1 or rule.columns[node.group + 1] == part << 1]
            if len(own) == 1:
                self._rules[part] = own[0]
        asked = [one for output in node.values for one in output]
        self._extreme = {
            part for part in self._rules if all(one.function in EXTREMES for one in asked if one.part == part)
        }

    def fed(self) -> Aggregated:
        feeds: dict[int, Feed] = {}
        same: dict[int, int] = {}
        for part in sorted(self._rules, key=lambda part: part in self._extreme):
            feed = _feed(self._rules[part])
            if feed is None:
                continue
            if part in self._extreme:
                found = self._among(feed, feeds)
                if found is not None:
                    same[part] = found
                else:
                    feeds[part] = self._from_below(part, feed)
            elif _is_one_to_one(feed):
                found = next((other for other, known in feeds.items() if self._equal(feed, known)), None)
                if found is not None:
                    same[part] = found
                else:
                    feeds[part] = feed
        values = {
            tuple(one._replace(part=same.get(one.part, one.part)) for one in output): relation
            for output, relation in self._node.values.items()
        }
        if len(values) < len(self._node.values):  # two outputs would be one relation
            feeds.update((part, feed) for part in same if (feed := _feed(self._rules[part])))
            values = self._node.values
        else:
            self._remove(same)
        self._remove(feeds)
        only = bool(feeds) and not self._wiring.rules(self._node.source)
        return replace(self._node, feeds=tuple(feeds.values()), only_fed=only, values=values)

    def _remove(self, parts: Iterable[int]) -> None:
        for part in parts:
            self._wiring.remove(self._rules[part])

    def _equal(self, feed: Feed, other: Feed) -> bool:
        """Whether two parts have the same elements."""
        number = self._node.group + 1
        return feed.relation is other.relation and _without(feed.columns, number) == _without(other.columns, number)

    def _among(self, feed: Feed, feeds: dict[int, Feed]) -> int | None:
        """The part that has the same values in the same groups."""
        used = self._node.group + 1
        for below in (feed, *_below(self._wiring, feed)):
            for part, other in feeds.items():
                if below.relation is other.relation and below.columns[:used] == other.columns[:used]:
                    return part
        return None

    def _from_below(self, part: int, feed: Feed) -> Feed:
        """What a view that nobody else reads is made of."""
        reader = self._rules[part]
        for below in _below(self._wiring, feed):
            if self._wiring.readers(feed.relation) != [reader]:
                return feed
            (reader,) = self._wiring.rules(feed.relation)
            feed = below
        return feed


def _read_below_views(network: Network, wiring: Wiring) -> None:
    """Let elements be made of what a view is made of, if only elements are made of the view: equal ones are one anyway.

    Not where they can be taken back, since others like them would have to be found.
    """
    elements = {node.source for node in network.operators if isinstance(node, Aggregated | Listed)}

    def reading(rule: object) -> Match | None:
        match rule:
            case CoreRule(head, _, body) if head in elements and not head.revocable:
                matches = [literal for literal in body if isinstance(literal, Match)]
                if (
                    len(matches) == 1
                    and all(isinstance(literal, Match | Compare) for literal in body)
                    and len(body) > 1
                ):
                    return matches[0]
        return None

    for rule in network.rules:
        match = reading(rule)
        below = match and _made_of(wiring, match.relation)
        if match and below and all(reading(other) for other in wiring.readers(match.relation)):
            known = dict(zip(below.columns, match.columns, strict=True))
            (inside,) = (literal for literal in below.body if isinstance(literal, Match))
            columns = tuple(known.get(column) for column in inside.columns if isinstance(column, str))
            body = tuple(Match(inside.relation, columns) if literal is match else literal for literal in rule.body)
            wiring.exchange(rule, replace(rule, body=body))


def _made_of(wiring: Wiring, view: Relation) -> CoreRule | None:
    """The rule that makes a view of a stored relation by leaving columns out."""
    rules = wiring.rules(view)
    if view.kind is not Kind.VIEW or len(rules) != 1 or view in wiring.operated or view in wiring.special:
        return None
    feed = _feed(rules[0])
    return rules[0] if feed is not None and all(read for read, _ in feed.columns) else None


def _feed(rule: CoreRule) -> Feed | None:
    """What a rule makes of each row of one stored relation, where it does no more than that."""
    match rule.body:
        case (Match(relation, columns),) if relation.stored:
            names = [column for column in columns if column is not None]
            if all(isinstance(name, str) for name in names) and len(set(names)) == len(names):
                return Feed(relation, tuple(_place(operand, columns) for operand in rule.columns))
    return None


def _place(operand: Operand, columns: Sequence[Operand | None]) -> tuple[bool, int]:
    return (True, columns.index(operand)) if isinstance(operand, str) else (False, operand)


def _is_one_to_one(feed: Feed) -> bool:
    """Whether different rows make different elements."""
    return {place for read, place in feed.columns if read} == set(range(feed.relation.width))


def _below(wiring: Wiring, feed: Feed) -> Iterator[Feed]:
    """What is fed by a view, fed by what the view is made of; as far as views do no more than copy."""
    while (made := _made_of(wiring, feed.relation)) and (copied := _feed(made)):
        feed = Feed(copied.relation, tuple(copied.columns[at] if read else (read, at) for read, at in feed.columns))
        yield feed


def _drop_unread(wiring: Wiring) -> None:
    """Take out the rules of views that only such rules have read."""
    while wiring.gone:
        rule = wiring.gone.pop()
        for view in {literal.relation for literal in rule.body if isinstance(literal, Match)}:
            if view.kind is Kind.VIEW and view not in wiring.special and not wiring.readers(view):
                for making in wiring.rules(view):
                    wiring.remove(making)


def _without(columns: tuple[tuple[bool, int], ...], place: int) -> tuple[tuple[bool, int], ...]:
    return columns[:place] + columns[place + 1 :]
