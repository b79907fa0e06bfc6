"""A folder, a socket and a broker as one stream on Spark, gone on with from its checkpoint."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterable
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from larspark.analysis.pipeline import analyse
from larspark.cli.main import main
from larspark.diagnostics import Rejected
from larspark.language.parser import parse_program
from larspark.spark.plan.plan import make_plan
from larspark.spark.read.following import follow_sources
from larspark.spark.read.rules import InputSource
from larspark.spark.stream.stream import TableStream
from support.brokers import Broker, free_port

PROGRAM = "#input tram(id, station). meet(A, B, S) :- tram(A, S) [3], bus(B, S) [3], not closed(S) [9].\n"


def lines(*atoms: tuple[int, str]) -> list[str]:
    return [json.dumps({"time": time, "atom": atom}) for time, atom in atoms]


def serve_once(server: socket.socket, text: Iterable[str]) -> None:
    def answer() -> None:
        connection, _ = server.accept()
        with connection:
            connection.sendall("".join(f"{line}\n" for line in text).encode())

    threading.Thread(target=answer, daemon=True).start()


def run(folder: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    assert main(["run", str(folder / "run.yml"), "--format", "json"]) == 0
    told = capsys.readouterr().out.splitlines()
    return json.loads(told[-1])  # type: ignore[no-any-return]


def rows(folder: Path) -> set[tuple[object, ...]]:
    found = [
        tuple(row.values())
        for path in (folder / "out" / "meet").glob("*.parquet")
        for row in pq.read_table(path).to_pylist()
    ]
    assert len(found) == len(set(found))
    return set(found)


def test_three_inputs_are_one_stream(spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broker = Broker(tmp_path / "broker")
    (tmp_path / "p.lars").write_text(PROGRAM)
    (tmp_path / "tram").mkdir()
    (tmp_path / "tram" / "1.csv").write_text("time,station,id\n1,main,t1\n5,main,t2\n")
    with socket.create_server(("127.0.0.1", 0)) as server:
        (tmp_path / "run.yml").write_text(
            f"program: p.lars\noutput: out\nfollow: true\nonce: true\npartitions: 2\ninput:\n"
            f"  - {{path: tram, predicate: tram}}\n"
            f"  - socket://127.0.0.1:{server.getsockname()[1]}\n"
            f"  - {{path: 'mqtt://127.0.0.1:{broker.port}/closed/#', awaited: false, options: {{idle: 1}}}}\n"
        )
        serve_once(server, [*lines((2, "bus(b1,main)"), (3, "bus(b2,main)")), "no record"])
        told = run(tmp_path, capsys)
        assert (told["arrivals"], told["refused"], told["heard"], told["watermark"]) == (4, 1, [5, 3, None], 5)
        assert ("t1", "b2", "main", 3, 4, None) in rows(tmp_path)
        broker.publish("closed/main", lines((12, "closed(main)")))
        (tmp_path / "tram" / "2.csv").write_text("time,station,id\n11,main,t3\n13,main,t4\n")
        serve_once(server, lines((11, "bus(b3,main)"), (4, "bus(late,main)")))
        told = run(tmp_path, capsys)
    broker.stop()
    assert (told["arrivals"], told["late"], told["heard"], told["watermark"]) == (8, 1, [13, 11, 12], 13)
    assert rows(tmp_path) == {
        ("t1", "b1", "main", 2, 4, None),
        ("t1", "b2", "main", 3, 4, None),
        ("t2", "b1", "main", 5, 5, None),
        ("t2", "b2", "main", 5, 6, None),
        ("t3", "b3", "main", 11, 11, None),
    }


def test_the_slowest_input_holds_the_watermark(spark: SparkSession, tmp_path: Path) -> None:
    plan = make_plan(analyse(parse_program("p(X) :- a(X) [1], not b(X).")))
    for name, text in (("fast", lines((1, "a(x)"), (9, "a(y)"))), ("slow", lines((4, "b(x)")))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "1.jsonl").write_text("\n".join(text))
    sources = [InputSource(str(tmp_path / "fast")), InputSource(str(tmp_path / "slow"))]
    inputs = follow_sources(spark, sources, plan.vocabulary, tmp_path / "journals")
    stream = TableStream(plan, tmp_path / "out", sources=tuple(sources))
    assert stream.start(spark, inputs, once=True).awaitTermination(120)
    assert (stream.checkpoint.last().watermark, stream.checkpoint.last().seen) == (3, 9)


@pytest.mark.parametrize(
    ("source", "code"),
    [
        (InputSource("socket://nowhere"), "E607"),
        (InputSource("mqtt://127.0.0.1:1"), "E607"),
        (InputSource("listen://:99999"), "E607"),
        (InputSource("nowhere/"), "E406"),
    ],
)
def test_addresses_are_checked_before_anything_starts(
    spark: SparkSession, tmp_path: Path, source: InputSource, code: str
) -> None:
    plan = make_plan(analyse(parse_program("p(X) :- a(X).")))
    with pytest.raises(Rejected) as caught:
        follow_sources(spark, [source], plan.vocabulary, tmp_path)
    assert caught.value.diagnostics[0].code == code


def test_a_sender_that_is_not_there_is_told(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "p.lars").write_text("p(X) :- a(X).")
    words = [
        "run",
        str(tmp_path / "p.lars"),
        "--output",
        str(tmp_path / "out"),
        "--input",
        f"socket://127.0.0.1:{free_port()}",
    ]
    assert main([*words, "--follow"]) == 1
    assert "E608" in capsys.readouterr().err
    assert main(words) == 1
    assert "--follow" in capsys.readouterr().err
