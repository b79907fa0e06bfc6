"""Columns of times brought from a zone to UTC and back, by the rules of the zone.

Arrow is not asked: it knows no summer time after 2037. The zone is asked once for each quarter of an hour, since zones
are apart by multiples of it, and clocks are changed then; where that is not so, for each time.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo

import numpy as np
import numpy.typing as npt

from larspark.blocks.arguments import Numbers

Mask = npt.NDArray[np.bool_]

_BEGIN = datetime(1970, 1, 1)
_QUARTER = 900
"""In seconds."""
_SECOND = timedelta(seconds=1)


def to_utc(stamps: Numbers, per_second: int, zone: tzinfo) -> tuple[Numbers, Mask]:
    """Local times in UTC, and which of them are plain.

    Not plain are those in a quarter of an hour that is there twice, or not at all, or in which the clocks are changed.
    """
    offsets, plain = _offsets(stamps, per_second, lambda quarter: _of_local_quarter(quarter, zone))
    return stamps - offsets * per_second, plain


def from_utc(stamps: Numbers, per_second: int, zone: tzinfo) -> Numbers:
    """Times in UTC as the clocks of the zone show them."""
    fixed = zone.utcoffset(None)
    if fixed is not None:
        return np.asarray(stamps + fixed // _SECOND * per_second, np.int64)
    offsets, plain = _offsets(stamps, per_second, lambda quarter: _of_quarter(quarter, zone))
    for place in np.flatnonzero(~plain).tolist():
        offsets[place] = _offset(timedelta(seconds=int(stamps[place]) // per_second), zone)
    return np.asarray(stamps + offsets * per_second, np.int64)


def _offsets(stamps: Numbers, per_second: int, ask: Callable[[int], int | None]) -> tuple[Numbers, Mask]:
    """How many seconds the zone is before UTC at each time, and where that is known of its whole quarter."""
    quarters = stamps // (_QUARTER * per_second)
    begins = np.flatnonzero(np.concatenate(([True], quarters[1:] != quarters[:-1])))
    lengths = np.diff(np.concatenate((begins, [len(quarters)])))
    distinct, places = np.unique(quarters[begins], return_inverse=True)
    found = [ask(quarter) for quarter in distinct.tolist()]
    plain = np.array([one is not None for one in found], np.bool_)
    offsets = np.array([one or 0 for one in found], np.int64)
    rows = np.repeat(places.reshape(-1), lengths)
    return offsets[rows], plain[rows]


def _of_local_quarter(quarter: int, zone: tzinfo) -> int | None:
    """In a quarter of an hour of the zone's own time; None: it is not the same in all of it."""
    begin = _BEGIN + timedelta(seconds=quarter * _QUARTER)
    edges = (begin, begin + timedelta(seconds=_QUARTER - 1))
    found = {edge.replace(tzinfo=zone, fold=fold).utcoffset() for edge in edges for fold in (0, 1)}
    (first, *others) = found
    return None if others or first is None else first // _SECOND


def _of_quarter(quarter: int, zone: tzinfo) -> int | None:
    """The same in a quarter of an hour of UTC."""
    first, last = (_offset(timedelta(seconds=quarter * _QUARTER + more), zone) for more in (0, _QUARTER - 1))
    return first if first == last else None


def _offset(moment: timedelta, zone: tzinfo) -> int:
    found = (_BEGIN + moment).replace(tzinfo=UTC).astimezone(zone).utcoffset()
    return 0 if found is None else found // _SECOND
