"""What goes wrong around Spark, in a sentence that says what to do."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

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
