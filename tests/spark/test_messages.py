"""What goes wrong around Spark, in a sentence that says what to do."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pyspark
import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from larspark.cli.main import main
from larspark.cli.pipeline import stream
from larspark.diagnostics import Rejected
from larspark.spark.interface import plan_of
from larspark.spark.read.following import follow_source
from larspark.spark.read.growing import GrowingTable
from larspark.spark.read.rules import InputSource, without_secrets
from larspark.spark.read.tables import read_table_address, with_predicate
from larspark.spark.session.failures import explained, rejected
from larspark.spark.session.jars import jar_settings
from larspark.spark.session.reaching import require_answer
from larspark.spark.session.session import spark_session
from support.brokers import free_port


def test_a_master_that_does_not_answer() -> None:
    port = free_port()
    with pytest.raises(Rejected, match=rf"E602: No Spark master answers at 127.0.0.1:{port} .*Start it"):
        require_answer(f"spark://127.0.0.1:{port}")
    with pytest.raises(Rejected, match="E602"):
        require_answer(f"sc://127.0.0.1:{port}/;user_id=me")
    with socket.create_server(("127.0.0.1", 0)) as server:
        require_answer(f"spark://127.0.0.1:{port},127.0.0.1:{server.getsockname()[1]}")
    for elsewhere in ("local[2]", "local-cluster[2,1,1024]", "yarn", "k8s://https://host:6443"):
        require_answer(elsewhere)


@pytest.fixture
def alarms(tmp_path: Path) -> list[str]:
    """The beginning of a command line that runs rules over a folder of data."""
    (tmp_path / "rules.lars").write_text("b(X) :- a(X).", encoding="utf-8")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "1.jsonl").write_text('{"time": 1, "atom": "a(1)"}\n', encoding="utf-8")
    words = ["--input", str(tmp_path / "data"), "--output", str(tmp_path / "tables")]
    return ["run", str(tmp_path / "rules.lars"), *words]


def test_a_run_on_a_master_that_does_not_answer(
    alarms: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SparkSession, "getActiveSession", lambda: None)
    port = free_port()
    assert main([*alarms, "--master", f"spark://127.0.0.1:{port}"]) == 1
    told = capsys.readouterr().err
    assert f"E602: No Spark master answers at 127.0.0.1:{port} (Connection refused)." in told
    assert "java" not in told.lower()


@pytest.mark.parametrize("option", ["--metrics", "--page"])
def test_a_port_that_a_run_cannot_have(
    alarms: list[str], option: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told before Spark starts."""
    monkeypatch.setattr(stream, "session_of", lambda _: pytest.fail("Spark was started"))
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert main([*alarms, "--follow", option, str(port)]) == 1
    assert f"E702: Port {port} is in use." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--metrics", "0", "--once"], "--metrics, --once: only for a stream, with --follow"),
        (["--follow", "--from", "3", "--profile"], "--from, --profile: only for a run over data that ends"),
    ],
)
def test_options_of_the_other_kind_of_run(
    alarms: list[str], options: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*alarms, *options]) == 2
    assert told in capsys.readouterr().err


def test_a_port_in_use() -> None:
    text = "larspark.read.live.ports.PortTaken: port 9000 cannot be opened: [Errno 98] Address already in use"
    told = str(rejected(PySparkException(f"Traceback …\n{text}\n")))
    assert "E702: Port 9000 cannot be opened: address already in use." in told


def test_workers_with_another_python() -> None:
    error = PySparkException("Traceback …\nModuleNotFoundError: No module named 'larspark'\n")
    assert f"set PYSPARK_PYTHON to {sys.executable}" in str(explained(error))
    other = PySparkException("something else")
    assert explained(other) is other


def test_a_python_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SparkSession, "getActiveSession", lambda: None)
    monkeypatch.setenv("PYSPARK_PYTHON", "/none/python")
    with pytest.raises(Rejected, match=r"E602: .*PYSPARK_PYTHON names `/none/python`.*Unset it"):
        spark_session("local[1]")


def test_kafka_without_its_connector(spark: SparkSession, tmp_path: Path) -> None:
    source = InputSource(format="kafka", options={"kafka.bootstrap.servers": "127.0.0.1:1", "subscribe": "a"})
    with pytest.raises(Rejected, match=r"E607: Spark has no format `kafka` here.*spark-sql-kafka-0-10_2.13"):
        follow_source(spark, source, plan_of("b(X) :- a(X).").vocabulary, tmp_path)


def test_a_run_that_reads_kafka_without_its_connector(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "rules.lars").write_text("b(X) :- a(X).", encoding="utf-8")
    topic = "{kafka.bootstrap.servers: '127.0.0.1:1', subscribe: a}"
    pipeline = f"program: rules.lars\ninput:\n  - {{format: kafka, options: {topic}}}\noutput: tables\nfollow: true\n"
    (tmp_path / "live.yml").write_text(pipeline, encoding="utf-8")
    assert main(["run", str(tmp_path / "live.yml")]) == 1
    told = capsys.readouterr().err
    assert "E607: Spark has no format `kafka` here." in told
    assert f"--packages org.apache.spark:spark-sql-kafka-0-10_2.13:{pyspark.__version__}" in told


def test_tables_that_are_not_there(spark: SparkSession, tmp_path: Path) -> None:
    vocabulary = plan_of("b(X) :- a(X).").vocabulary
    with pytest.raises(Rejected, match=r"E406: `table:no\.such` cannot be read"):
        follow_source(spark, InputSource("table:no.such"), vocabulary, tmp_path)
    with pytest.raises(Rejected, match="E607: `jdbc:postgresql://host/db` names no table"):
        read_table_address("jdbc:postgresql://host/db?user=me&password=secret")
    with pytest.raises(Rejected, match=r"options: \{order: id\}"):
        GrowingTable(spark, InputSource("jdbc:postgresql://host/db?password=secret#a"), tmp_path)
    with pytest.raises(Rejected, match="E406"):
        jar_settings(["no.jar"], [])


def test_passwords_are_not_shown() -> None:
    path = "jdbc:postgresql://me:secret@host:5432/db?user=me&password=secret#readings"
    assert without_secrets(path) == InputSource(path).name == "jdbc:postgresql://host:5432/db#readings"
    assert str(read_table_address(path)) == "jdbc:postgresql://host:5432/db#readings"
    assert with_predicate(InputSource('table:plant."readings"')).predicate == "readings"
