"""What a partition notices on its way, for the driver: the rules that fire, and what is odd about arrivals."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from larspark.diagnostics import Origin
from larspark.language.facts import Signature
from larspark.runtime.findings.observation import Observation, Watch
from larspark.runtime.findings.unfired import FiredRules
from larspark.spark.evaluate.messages import BEFORE_ALL, DRIVER, Message, MessageKind, Received


@dataclass
class Notice:
    """Of one partition of a stage."""

    observed: Observation
    fired: FiredRules | None = field(default=None)
    """None: its reasoner does not tell."""

    def watching(self, messages: Iterable[Received], names: Mapping[int, Signature]) -> Iterator[Received]:
        """The same messages, of whose arrivals note is taken."""
        watched = self.observed.watch.signatures
        for message in messages:
            if message.kind is MessageKind.ARRIVAL and names[message.predicate] in watched:
                self.observed.take(message.block(names))
            yield message

    def message(self, stage: int) -> Message:
        fired = None if self.fired is None else [[*head, *_numbers(origin)] for head, origin in self.fired]
        content = json.dumps({"fired": fired, "observed": self.observed.as_json()})
        return Message(DRIVER, 0, BEFORE_ALL, MessageKind.NOTICED, stage, content.encode())

    @classmethod
    def read(cls, content: bytes, watch: Watch) -> Notice:
        found = json.loads(content)
        fired = found["fired"]
        if fired is not None:
            fired = frozenset((Signature(*one[:2]), Origin(*one[2:])) for one in fired)
        return cls(Observation.read(found["observed"], watch), fired)


def _numbers(origin: Origin) -> tuple[str | int, ...]:
    return origin.file, origin.line, origin.column, origin.end_line, origin.end_column
