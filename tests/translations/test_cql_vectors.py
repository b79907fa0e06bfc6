from __future__ import annotations

from typing import Any

import pytest
from sqlglot import exp

from larspark.language.facts import Fact, Signature
from larspark.language.tree import UNBOUNDED, Keyed, PartitionWindow, TimeWindow, TupleWindow
from larspark.translations.cql.statements import read
from larspark.translations.cql.translate import translate
from larspark.translations.cql.windows import PartitionedRows, lars_window, relation_name
from support.translated import judged
from support.vectors import Case, cases

EXAMPLE_35 = """
CREATE STREAM tram (id, st, t);
CREATE STREAM jam (st, t);
CREATE TABLE line (id, l);
CREATE TABLE plan (l, x, y, d);

SELECT TRAM.ID, PLAN.Y, TY
FROM TRAM[PARTITION BY ID ROWS 1], LINE, PLAN
WHERE TRAM.ID=LINE.ID AND LINE.L=PLAN.L AND TRAM.ST=PLAN.X AND TY=TRAM.T+PLAN.D AND
      NOT EXISTS (SELECT * FROM JAM[RANGE 20] WHERE JAM.ST=TRAM.ST)
"""


@pytest.mark.parametrize("case", cases("cql_window"), ids=str)
def test_table_4_1(case: Case) -> None:
    script = read(f"SELECT * FROM {case['cql']}")
    table = script.statements[0].find(exp.Table)
    assert table is not None
    window = script.window(table)
    assert window is not None
    assert relation_name("tram", window) == case["expect"]["relation"]
    expected: dict[str, Any] = case["expect"]["window"]
    past = UNBOUNDED if expected["past"] == "inf" else expected["past"]
    signature = Signature("tram", 3)
    found = lars_window(window, signature, ("ID", "ST", "T"))
    match expected["kind"]:
        case "time":
            assert found == TimeWindow(past, 0, expected.get("hop", 1))
        case "tuple":
            assert found == TupleWindow(past)
        case "partition":
            assert isinstance(window, PartitionedRows)
            assert list(window.columns) == expected["by"]
            assert found == PartitionWindow(past, 0, (Keyed(signature, (0,)),))


def answers(case: Case) -> set[tuple[object, ...]]:
    arrivals = [
        (row[-1], Fact(name, tuple(row))) for name in ("tram", "jam") for row in sorted(case[name], key=lambda r: r[-1])
    ]
    background = [Fact(name, tuple(row)) for name, rows in static(case).items() for row in rows]
    found = judged(translate(EXAMPLE_35), arrivals, case["at"], background).output(case["at"])
    return {fact.args for fact in found if fact.predicate == "q"}


def static(case: Case) -> dict[str, list[list[object]]]:
    return dict(case["static"])


@pytest.mark.parametrize("case", cases("cql_query"), ids=str)
def test_example_35(case: Case) -> None:
    assert answers(case) == {tuple(row) for row in case["expect"]}


@pytest.mark.parametrize("case", cases("cql_datalog_printed"), ids=str)
def test_the_correlation_of_the_sub_query_is_kept(case: Case) -> None:
    assert answers(case) == {tuple(row) for row in case["expect"]["with_join_condition"]}
