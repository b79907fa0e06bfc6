"""What goes wrong around Spark, in a sentence that says what to do."""

from __future__ import annotations

import socket
import sys

import pytest
from pyspark.errors import PySparkException

from larspark.diagnostics import Rejected
from larspark.spark.pipeline_file import InputSource, without_secrets
from larspark.spark.read.tables import read_table_address, with_predicate
from larspark.spark.session.failures import explained, rejected
from larspark.spark.session.reaching import require_answer
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


def test_passwords_are_not_shown() -> None:
    path = "jdbc:postgresql://me:secret@host:5432/db?user=me&password=secret#readings"
    assert without_secrets(path) == InputSource(path).name == "jdbc:postgresql://host:5432/db#readings"
    assert str(read_table_address(path)) == "jdbc:postgresql://host:5432/db#readings"
    assert with_predicate(InputSource('table:plant."readings"')).predicate == "readings"
