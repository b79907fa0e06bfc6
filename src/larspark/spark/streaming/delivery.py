"""What comes to the end of a stream in a micro-batch, and what is wanted of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import pyarrow as pa

from larspark.spark.streaming.parcels import Content, Parcel, unpacked
from larspark.spark.streaming.timeline import Pulse


@dataclass(frozen=True)
class Style:
    """What the tables show: intervals up to the watermark, unless it is said otherwise."""

    early: bool = False
    """Up to the latest time seen; what lies after the watermark may be corrected."""
    changes: bool = False
    """Where intervals start and end."""


FINAL = Style()


@dataclass(frozen=True)
class Delivery:
    """What has come to the sink in a micro-batch."""

    pulses: list[Pulse]
    good: int
    """Records that are atoms, late ones included."""
    changes: list[pa.Table]
    late: list[pa.Table]
    refused: list[pa.Table]
    ahead: list[pa.Table]
    """Conclusions after the watermark, where they are wanted early."""

    @classmethod
    def of(cls, parcels: Iterable[Parcel]) -> Delivery:
        found = cls([], 0, [], [], [], [])
        good = 0
        for parcel in parcels:
            payload = parcel.payload or b""
            match parcel.content:
                case Content.ARRIVALS:
                    found.pulses.append(Pulse.load(parcel.pulse or ""))
                    good += int(payload)
                case Content.CHANGES:
                    found.changes.append(unpacked(payload))
                case Content.LATE:
                    found.late.append(unpacked(payload))
                case Content.REFUSED:
                    found.refused.append(unpacked(payload))
                case Content.EARLY:
                    found.ahead.append(unpacked(payload))
        return replace(found, good=good)
