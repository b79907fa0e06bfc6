"""What the machine asks Python: parts of times within a second, functions, texts of every kind."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

import larspark

MIDNIGHT = datetime(2015, 7, 15, tzinfo=UTC)


@pytest.mark.parametrize("begin", [MIDNIGHT, MIDNIGHT + timedelta(microseconds=999_500)])
def test_parts_of_a_time_change_where_the_second_does(begin: datetime) -> None:
    program = "#clock 1 ms. seen(N, D, H, M) :- bid(N), D = date(now), H = hour(now), M = minute(now)."
    moments = [86_399_998, 86_399_999, 86_400_000, 86_400_001, 90_059_999, 90_060_000]
    found = larspark.evaluate(program, [(time, ("bid", time)) for time in moments], epoch=begin, points=True)
    expected = []
    for time in moments:
        moment = begin + timedelta(milliseconds=time)
        expected.append((time, f"{moment:%Y-%m-%d}", moment.hour, moment.minute))
    assert [tuple(row.values())[:4] for row in found["seen"].to_pylist()] == expected


def test_texts_that_look_like_escapes_stay_what_they_are() -> None:
    texts = ["plain", "\0", "\0plain", "\x001", "\0\0", "plain", "12", "1.5"]
    columns = {"time": list(range(len(texts))), "text": texts}
    found = larspark.evaluate("#input said(text: text). heard(T) :- said(T).", {"said": columns}, points=True)
    assert [row["text"] for row in found["heard"].to_pylist()] == texts
