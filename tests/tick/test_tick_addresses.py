"""Live sources of `tick` with addresses: a server that is called, and an MQTT broker."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from larspark.read.live.addresses import Address
from larspark.read.live.receiving import ReceivedLines
from larspark.read.rules import Rules
from larspark.tick.clock import HandClock
from larspark.tick.intake import Intake, SignalBatch
from larspark.tick.sources import IntakeKeeper, ReceivedSource
from support import tick_process
from support.brokers import Broker

PROGRAM = "alarm(X) :- hot(X) [2]."


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "alarm.lars"
    path.write_text(PROGRAM)
    return path


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    broker = Broker(tmp_path / "broker")
    yield broker
    broker.stop()


def test_a_server_is_called_and_its_end_may_be_ours(program: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                connection.sendall(b"@3 hot(a)\n@4 hot(\n@7 hot(b)")

        threading.Thread(target=answer, daemon=True).start()
        address = f"socket://127.0.0.1:{server.getsockname()[1]}"
        done = tick_process.run(program, "-i", address, "--once", "-f", "alarm")
    assert done.stdout.splitlines() == ["3: alarm(a)", "6: -", "7: alarm(b)"]
    assert f"{address}:2:1: `hot(` is not a ground atom" in done.stderr


def test_messages_of_a_broker(program: Path, broker: Broker) -> None:
    """Retained, so that it is there whenever we come."""
    broker.publish("machines/a", ['{"time": 3, "atom": "hot(a)"}\n@4 hot(b)'], retain=True)
    address = f"mqtt://127.0.0.1:{broker.port}/machines/#"
    with tick_process.running(program, "-i", address, "-f", "alarm") as process:
        assert process.stdout is not None
        assert [process.stdout.readline() for _ in range(2)] == ["3: alarm(a)\n", "4: alarm(a), alarm(b)\n"]


@pytest.mark.parametrize("address", ["socket://127.0.0.1:{}", "mqtt://127.0.0.1:{}/t"])
def test_an_address_that_does_not_answer_is_told_at_once(program: Path, address: str) -> None:
    done = tick_process.run(program, "-i", address.format(tick_process.free_port()))
    assert done.returncode == 1
    assert "does not answer" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_message_that_comes_again_is_known() -> None:
    keeper = IntakeKeeper("mqtt", Rules(live=True))
    keeper.intake = Intake(HandClock())
    keeper.append([ReceivedLines(b"a(1)", "7")])
    assert keeper.known(ReceivedLines(b"a(1)", "7"))
    assert not keeper.known(ReceivedLines(b"a(1)", "8"))


def test_clients_have_their_own_line_numbers() -> None:
    source = ReceivedSource("socket:0", Address("listen", "127.0.0.1", 0), Rules(live=True), {}, once=False)
    intake = Intake(HandClock())
    source.start(intake)
    for text in (b"a(1)\nb(", b"c("):
        with socket.create_connection(("127.0.0.1", source.port)) as client:
            client.sendall(text)
    told: list[object] = []
    while len(told) < 2:
        message = intake.get(30)
        assert isinstance(message, SignalBatch)
        told += [fault.diagnostic.origin and fault.diagnostic.origin.file for fault in message.faults]
    source.close()
    assert sorted(map(str, told)) == ["socket:0", "socket:0#2"]
