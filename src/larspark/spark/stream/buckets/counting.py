"""What buckets tell about themselves after every micro-batch, beside their conclusions.

What each rule has given, in how many stretches of time, and when last; and how many arrivals are kept beside those that
can matter. A rule whose conclusions do not have the key of its stage gives them in several partitions; each of them
counts its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from larspark.analysis.rewrites.markers import MARKER, marker
from larspark.blocks import Block
from larspark.diagnostics import Origin, Rejected
from larspark.intervals.sets import FOREVER
from larspark.language.tree import Atom
from larspark.spark.plan.work import Work

Counts: TypeAlias = dict[str, list[int]]
"""By the place of a rule in the text: how many stretches have begun, how many have ended, and the end of the last."""


def place_of(origin: Origin) -> str:
    return f"{origin.file}:{origin.line}:{origin.column}"


def counting(work: Work) -> Work:
    """With markers; as it is where evaluations are made one by one, or a window is only followed where it stands."""
    if not work.columnar:
        return work
    placed = [(rule, rule.origin) for rule in work.stage.program.rules if rule.origin is not None]
    markers = [made for rule, origin in placed if (made := marker(rule, place_of(origin))) is not None]
    signatures = {made.head.signature for made in markers if isinstance(made.head, Atom)}
    program = replace(work.stage.program, rules=(*work.stage.program.rules, *markers))
    marked = replace(work, stage=replace(work.stage, program=program, concludes=work.stage.concludes | signatures))
    try:
        marked.make(0)
    except Rejected:
        return work
    return marked


def counted(changes: Iterable[Block]) -> Counts:
    """What is new."""
    found: Counts = {}
    for block in changes:
        if block.until is not None and block.signature.predicate.startswith(MARKER):
            ends = block.until[block.until < FOREVER]
            begun, last = int((block.times > -FOREVER).sum()), int(ends.max(initial=-1))
            add(found, {block.signature.predicate.removeprefix(MARKER): [begun, len(ends), last]})
    return found


def add(total: Counts, more: Mapping[str, list[int]]) -> None:
    for place, (begun, ended, last) in more.items():
        before = total.get(place, [0, 0, -1])
        total[place] = [before[0] + begun, before[1] + ended, max(before[2], last)]


def last_evaluation(count: list[int], watermark: int) -> int | None:
    """The last one at which the rule gave something, of those that are final."""
    begun, ended, last = count
    if begun > ended:
        return watermark
    return last if begun else None


def packed(counts: Counts) -> bytes:
    return json.dumps(counts).encode()


def unpacked(content: bytes) -> Counts:
    found: Counts = json.loads(content)
    return found


class KeptFacts(NamedTuple):
    """Of one bucket of one stage; what can matter is not always known."""

    stage: int
    bucket: int
    kept: int
    mattering: int | None

    def pack(self) -> bytes:
        return json.dumps(self).encode()


def with_news(before: Mapping[str, list[int | None]], contents: Iterable[bytes]) -> dict[str, list[int | None]]:
    """By stage and bucket, after some of them have told."""
    news = (KeptFacts(*json.loads(content)) for content in contents)
    return {**before, **{f"{one.stage}:{one.bucket}": [one.kept, one.mattering] for one in news}}


def by_stage(told: Mapping[str, list[int | None]]) -> dict[str, tuple[int, int | None]]:
    """What all buckets of a stage keep, and what of it can matter; stages are counted from 1."""
    kept, mattering = dict[str, int](), dict[str, int | None]()
    for place, (own, needed) in told.items():
        stage = str(int(place.partition(":")[0]) + 1)
        kept[stage] = kept.get(stage, 0) + (own or 0)
        known = mattering.get(stage, 0)
        mattering[stage] = None if known is None or needed is None else known + needed
    return {stage: (kept[stage], mattering[stage]) for stage in kept}
