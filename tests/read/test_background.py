from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from larspark.diagnostics import Rejected
from larspark.language import Fact, Signature, parse_file
from larspark.read import read_background, read_backgrounds

PLAN = (Fact("plan", ("l1", "a", 3)), Fact("plan", ("l1", "b c", -4)))
SIGNATURE = Signature("plan", 3)


def write(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("plan.csv", "line,stop,time\nl1,a,3\nl1,b c,-4\n"),
        ("plan.lars", 'plan(l1,a,3). plan(l1,"b c",-4).'),
        ("plan.jsonl", '{"atom": "plan(l1,a,3)"}\n{"predicate": "plan", "args": ["l1", "b c", -4]}\n'),
    ],
)
def test_the_same_facts_in_every_format(tmp_path: Path, name: str, text: str) -> None:
    path = write(tmp_path / name, text)
    assert read_background(path, SIGNATURE) == PLAN
    assert read_background(path) == PLAN


def test_parquet(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"line": ["l1", "l1"], "stop": ["a", "b c"], "time": [3, -4]}), path)
    assert read_background(path, SIGNATURE) == PLAN


def test_directives_find_their_files_beside_the_program(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    write(tmp_path / "data" / "p.csv", "a,b,c\nl1,a,3\n")
    write(tmp_path / "q.facts", "q(1). q(1). q(2).")
    main = write(tmp_path / "main.lars", '#background "data/p.csv" as plan/3. #background "q.facts" as q/1.')
    assert read_backgrounds(parse_file(main)) == (PLAN[0], Fact("q", (1,)), Fact("q", (2,)))


def test_all_errors_of_all_files_come_together(tmp_path: Path) -> None:
    write(tmp_path / "p.csv", "a,b\nl1,a\n")
    write(tmp_path / "q.lars", "q(1).\nq(X).\nq(2) :- r.\nr(1).")
    main = write(
        tmp_path / "main.lars",
        '#background "p.csv" as plan/3. #background "q.lars" as q/1.\n'
        '#background "gone.csv" as r/1. #background "x" as s/1.',
    )
    with pytest.raises(Rejected) as caught:
        read_backgrounds(parse_file(main))
    found = [(d.code, str(d.origin).replace(f"{tmp_path}/", "")) for d in caught.value.diagnostics]
    assert found == [
        ("E407", "p.csv:1:1"),
        ("E403", "q.lars:2:1"),
        ("E403", "q.lars:3:1"),
        ("E407", "q.lars:4:1"),
        ("E406", "gone.csv:1:1"),
        ("E408", "x:1:1"),
    ]
