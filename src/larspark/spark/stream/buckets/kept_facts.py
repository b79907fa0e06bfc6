"""How many arrivals a bucket keeps beside those that can matter: told after every micro-batch."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import NamedTuple


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
