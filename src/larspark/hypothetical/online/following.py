"""The rows of a watched goal as schemata, kept current by what enters and leaves: quiet rows cost nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from larspark.hypothetical.answers.answers import Schema
from larspark.hypothetical.online.changes import RowPlace
from larspark.hypothetical.online.late import with_late
from larspark.hypothetical.online.query import Query
from larspark.hypothetical.online.watching import Watching


class Name(NamedTuple):
    """A schema of a query: its precondition, its row, and the way in which late facts meet it."""

    precondition: int
    place: RowPlace
    way: int = 0
    """0 when it is met by none."""


class Following:
    """The schemata of one query, those of late facts included."""

    def __init__(self, online: Watching, query: Query) -> None:
        self._online = online
        self._query = query
        self.schemata: dict[Name, Schema] = {}
        self._waiting: dict[Name, Schema] = {}
        """With late facts: rows that one of them may still meet."""
        for matcher in query.matchers:
            matcher.follow()

    def catch_up(self) -> Sequence[tuple[Name, Schema | None]]:
        """What has changed since the last call: a schema under each name, None where there is none any more."""
        changed = dict(self._with_late_facts(self._moved()) if self._online.options.delay else self._moved())
        for name, schema in changed.items():
            if schema is None:
                self.schemata.pop(name, None)
            else:
                self.schemata[name] = schema
        return tuple(changed.items())

    def _moved(self) -> Iterator[tuple[Name, Schema | None]]:
        for number, matcher in enumerate(self._query.matchers):
            changes = matcher.changes()
            yield from ((Name(number, place), None) for place in changes.left)
            for place, stage in changes.entered.items():
                yield Name(number, place), self._online.schema(matcher, stage, place.row)

    def _with_late_facts(self, moved: Iterable[tuple[Name, Schema | None]]) -> Iterator[tuple[Name, Schema | None]]:
        """A row that waits may be met by a fact of a time that is still open, so all these are looked at again."""
        yield from ((name, None) for name in self.schemata if name.way)
        for name, schema in moved:
            if schema is None:
                self._waiting.pop(name, None)
            elif schema.awaited:
                self._waiting[name] = schema
                continue
            yield name, schema
        arrived, closed = self._online.arrived, self._online.closed
        for name, schema in self._waiting.items():
            for way, found in enumerate(with_late(schema, arrived, closed), start=1):
                yield name._replace(way=way), found
        for number, matcher in enumerate(self._query.matchers):
            for row, schema in enumerate(self._online.unmet(matcher)):
                for way, found in enumerate(with_late(schema, arrived, closed, needed=True), start=1):
                    yield Name(number, RowPlace((), (row,)), way), found
