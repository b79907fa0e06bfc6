from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

import pytest

from larspark.language import evaluate, parse_duration, parse_formula
from larspark.language.calendar import Calendar
from larspark.language.tree import Comparison, Term
from larspark.language.values import NotANumber, Value, calculate

MIDNIGHT = Calendar(datetime(2024, 2, 29, tzinfo=UTC), parse_duration("1 min"))


def term(text: str) -> Term:
    comparison = parse_formula(f"{text} = 0")
    assert isinstance(comparison, Comparison)
    return comparison.left


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("X + 1", 8),
        ("-7 / 2", -3),
        ("-7 \\ 2", -1),
        ("2 ^ 3 ^ 2", 512),
        ("1.5 * 2", 3),
        ("0.1 + 0.2", Decimal("0.3")),
        ("min(X, 3, a)", 3),
        ("max(X, 3, a)", "a"),
        ("abs(0 - X)", 7),
        (f"abs(-0.{'3' * 34})", Decimal(f"0.{'3' * 34}")),
        ("now - X", 93),
        ("twice(X)", 14),
        ("half(X)", Decimal("3.5")),
        ("hour(now)", 1),
        ("minute(now)", 40),
        ("weekday(now)", 4),
        ("date(now)", "2024-02-29"),
    ],
)
def test_values(text: str, value: Value) -> None:
    functions = {"twice": lambda x: 2 * x, "half": lambda x: x / 2}
    assert evaluate(term(text), {"X": 7}, 100, functions, MIDNIGHT) == value


@pytest.mark.parametrize(
    "text",
    [
        "a + 1",
        "1 / 0",
        "1 \\ 0",
        "abs(a)",
        "f(1)",
        "fail(1)",
        "yes(1)",
        "hour(a)",
        "hour(10^30)",
        "10 ^ 10 ^ 10",
        "list(1)",
    ],
)
def test_terms_without_value(text: str) -> None:
    functions = {"fail": lambda x: x.gone, "yes": lambda _: True, "list": lambda x: [x]}
    with pytest.raises(NotANumber):
        evaluate(term(text), {}, 0, functions, MIDNIGHT)


def test_a_calendar_turns_timestamps_into_points_and_back() -> None:
    zone = timezone(timedelta(hours=2))
    assert MIDNIGHT.point(datetime(2024, 2, 29, 1, 40, 59, tzinfo=UTC)) == 100
    assert MIDNIGHT.point(datetime(2024, 2, 29, 3, 40, tzinfo=zone)) == 100
    assert MIDNIGHT.point(datetime(2024, 2, 28, 23, 59, 59)) == -1
    assert MIDNIGHT.timestamp(100) == datetime(2024, 2, 29, 1, 40, tzinfo=UTC)


def test_products_beyond_any_use_have_no_value() -> None:
    assert calculate("*", 2**2047, 2**2047) == 2**4094
    with pytest.raises(NotANumber):
        calculate("*", 2**2048, 2**2048)
