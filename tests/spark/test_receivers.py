"""Sockets and MQTT into the journal: every line once, in order, across lost connections and lost receipts."""

from __future__ import annotations

import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from larspark.read.formats.text_lines import LONGEST
from larspark.read.live import socket_lines
from larspark.read.live.addresses import read_address
from larspark.read.live.journal import Journal
from larspark.read.live.mqtt import MqttSubscriber
from larspark.read.live.receiving import ReceivedLines, Receiver
from larspark.read.live.socket_lines import SocketCaller, SocketListener
from larspark.spark.read.live_source import JournalLines, JournalReader
from support.brokers import PATIENCE, Broker, find_mosquitto, free_port


def wait_for(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal", 1 << 24) as journal:
        yield journal


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    broker = Broker(tmp_path / "broker")
    yield broker
    broker.stop()


def everything(journal: Journal) -> list[str]:
    return journal.read(0, journal.end)


def lines(first: int, last: int) -> list[str]:
    return [f'{{"time": {n}, "atom": "a({n})"}}' for n in range(first, last)]


def serve(server: socket.socket, *parts: bytes) -> threading.Thread:
    """A server that closes the connection after each part."""

    def answer() -> None:
        for part in parts:
            connection, _ = server.accept()
            with connection:
                connection.sendall(part)

    thread = threading.Thread(target=answer, daemon=True)
    thread.start()
    return thread


def test_a_lost_connection_is_made_again(journal: Journal) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        serve(server, b"one\ntwo\n\nthr", b"three\nfour without an end")
        receiver = SocketCaller(read_address(f"socket://127.0.0.1:{server.getsockname()[1]}"), {}, journal)
        receiver.start()
        wait_for(lambda: journal.end == 5)
        receiver.stop()
    assert everything(journal) == ["one", "two", "thr", "three", "four without an end"]


def test_lines_that_are_no_text_or_have_no_end_are_kept_to_be_refused(journal: Journal) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        serve(server, b"\xff\xfe\n" + b"x" * (LONGEST + 100) + b"\ngood\n")
        receiver = SocketCaller(read_address(f"socket://127.0.0.1:{server.getsockname()[1]}"), {}, journal)
        receiver.start()
        wait_for(lambda: receiver.ended)
        receiver.stop()
    first, *_, last = everything(journal)
    assert first == "not UTF-8: \\xff\\xfe"
    assert last == "good"


def test_any_number_of_clients_may_call(journal: Journal) -> None:
    port = free_port()
    receiver = SocketListener(read_address(f"listen://127.0.0.1:{port}"), {}, journal)
    receiver.start()

    def call(name: str) -> None:
        with socket.create_connection(("127.0.0.1", port)) as connection:
            for n in range(200):
                connection.sendall(f"{name} {n}\n".encode())

    callers = [threading.Thread(target=call, args=(name,)) for name in "abc"]
    for caller in callers:
        caller.start()
    wait_for(lambda: journal.end == 600)
    receiver.stop()
    for name in "abc":
        assert [line for line in everything(journal) if line[0] == name] == [f"{name} {n}" for n in range(200)]


def test_clients_beyond_the_limit_are_turned_away(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket_lines, "MOST_CLIENTS", 1)
    receiver = SocketListener(read_address(f"listen://127.0.0.1:{free_port()}"), {}, journal)
    receiver.start()
    with socket.create_connection(("127.0.0.1", receiver.port)) as first:
        first.sendall(b"one\n")
        wait_for(lambda: journal.end == 1)
        with socket.create_connection(("127.0.0.1", receiver.port)) as second:
            assert second.recv(1) == b""
        first.sendall(b"two\n")
        wait_for(lambda: journal.end == 2)
    receiver.stop()
    assert everything(journal) == ["one", "two"]


@pytest.mark.parametrize(
    ("receiver", "address"), [(SocketCaller, "socket://127.0.0.1:{}"), (MqttSubscriber, "mqtt://127.0.0.1:{}/t")]
)
def test_an_address_that_does_not_answer_is_an_error_at_once(
    journal: Journal, receiver: type[Receiver], address: str
) -> None:
    with pytest.raises(ConnectionError, match="does not answer"):
        receiver(read_address(address.format(free_port())), {}, journal).start()


def test_a_sender_that_was_there_before_may_come_later(journal: Journal) -> None:
    port = free_port()
    journal.append([ReceivedLines(b"from the last run")])
    receiver = SocketCaller(read_address(f"socket://127.0.0.1:{port}"), {}, journal)
    receiver.start()
    wait_for(lambda: receiver.ended)
    with socket.create_server(("127.0.0.1", port)) as server:
        serve(server, b"one\n")
        wait_for(lambda: journal.end == 2)
        receiver.stop()
    assert everything(journal) == ["from the last run", "one"]


def test_a_port_that_is_taken_is_an_error_at_once(journal: Journal) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, pytest.raises(ConnectionError, match="cannot be opened"):
        SocketListener(read_address(f"listen://127.0.0.1:{server.getsockname()[1]}"), {}, journal).start()


def subscribe(broker: Broker, journal: Journal, **options: str) -> MqttSubscriber:
    receiver = MqttSubscriber(read_address(f"mqtt://127.0.0.1:{broker.port}/trams/#"), options, journal)
    receiver.start()
    return receiver


def test_messages_come_in_order_also_those_sent_while_we_were_away(broker: Broker, journal: Journal) -> None:
    subscribe(broker, journal).stop()
    broker.publish("trams/a", lines(0, 300))
    receiver = subscribe(broker, journal)
    wait_for(lambda: journal.end == 300)
    broker.publish("trams/b", ["\n".join(lines(300, 303)), lines(303, 304)[0]])
    wait_for(lambda: journal.end == 304)
    receiver.stop()
    assert everything(journal) == lines(0, 304)


def test_a_message_whose_receipt_was_lost_is_not_doubled(
    broker: Broker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(tmp_path / "journal", 1 << 20) as journal, monkeypatch.context() as patched:
        receiver = subscribe(broker, journal)
        patched.setattr(receiver._client, "ack", lambda *_: None)
        broker.publish("trams/a", lines(0, 12))
        wait_for(lambda: journal.end == 12)
        receiver.stop()
    broker.publish("trams/a", lines(12, 15))
    with Journal(tmp_path / "journal", 1 << 20) as journal:
        receiver = subscribe(broker, journal)
        wait_for(lambda: journal.end >= 15)
        broker.publish("trams/a", lines(15, 16))
        wait_for(lambda: lines(15, 16)[0] in everything(journal))
        receiver.stop()
        assert everything(journal) == lines(0, 16)


def test_a_broker_that_was_gone_is_found_again(broker: Broker, journal: Journal) -> None:
    receiver = subscribe(broker, journal)
    broker.publish("trams/a", lines(0, 5))
    wait_for(lambda: journal.end == 5)
    broker.stop()
    broker.start()
    broker.publish("trams/a", lines(5, 9))
    wait_for(lambda: journal.end == 9)
    receiver.stop()
    assert everything(journal) == lines(0, 9)


def test_a_broker_that_was_there_before_may_come_later(broker: Broker, journal: Journal) -> None:
    receiver = subscribe(broker, journal)
    broker.publish("trams/a", lines(0, 1))
    wait_for(lambda: journal.end == 1)
    receiver.stop()
    broker.stop()
    receiver = subscribe(broker, journal)
    broker.start()
    broker.publish("trams/a", lines(1, 2))
    wait_for(lambda: journal.end == 2)
    receiver.stop()


# paho leaves the socket of a failed handshake to the garbage collector
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_passwords_and_certificates(tmp_path: Path, journal: Journal) -> None:
    folder = tmp_path / "secure"
    folder.mkdir()
    name = "/CN=localhost"
    key = ["-newkey", "rsa:2048", "-nodes", "-keyout", str(folder / "key"), "-out", str(folder / "certificate")]
    words = ["req", "-x509", *key, "-subj", name, "-addext", "subjectAltName=DNS:localhost", "-days", "1"]
    tools = (["openssl", *words], ["mosquitto_passwd", "-c", "-b", str(folder / "passwords"), "tram", "a#b"])
    find_mosquitto()
    for tool in tools:
        if shutil.which(tool[0]) is None:
            pytest.skip(f"{tool[0]} is not installed")
        subprocess.run(tool, check=True, capture_output=True)
    files = (f"certfile {folder}/certificate", f"keyfile {folder}/key", f"password_file {folder}/passwords")
    broker = Broker(folder, *files)
    try:
        options = {"ca": str(folder / "certificate")}
        good, wrong = (read_address(f"mqtts://tram:{word}@localhost:{broker.port}/t") for word in ("a%23b", "no"))
        assert "a#b" not in str(good)
        with pytest.raises(ConnectionError, match="does not let us subscribe: Not authorized"):
            MqttSubscriber(wrong, options, journal).start()
        with pytest.raises(ConnectionError, match="certificate verify failed"):
            MqttSubscriber(good, {}, journal).start()
        receiver = MqttSubscriber(good, options, journal)
        receiver.start()
        receiver._client.publish("t", lines(0, 1)[0], qos=1)
        wait_for(lambda: journal.end == 1)
        receiver.stop()
    finally:
        broker.stop()


def test_retained_messages_come_once(broker: Broker, journal: Journal) -> None:
    broker.publish("trams/a", lines(0, 1), retain=True)
    receiver = subscribe(broker, journal)
    wait_for(lambda: journal.end == 1)
    receiver.stop()
    receiver = subscribe(broker, journal)
    broker.publish("trams/b", lines(1, 2))
    wait_for(lambda: journal.end > 1)
    receiver.stop()
    assert everything(journal) == lines(0, 2)


def test_a_batch_that_is_repeated_has_the_same_lines(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        serve(server, "\n".join(lines(0, 50)).encode())
        path = f"socket://127.0.0.1:{server.getsockname()[1]}"
        options = {"path": path, "journal": str(tmp_path / "journal"), "maxRowsPerTrigger": "20"}
        reader = JournalReader(options)
        reader.prepareForTriggerAvailableNow()
        first = reader.latestOffset(reader.initialOffset(), reader.getDefaultReadLimit())
        assert first == {"line": 20}
        given = [list(part.lines) for part in reader.partitions({"line": 0}, first) if isinstance(part, JournalLines)]
        second = reader.latestOffset(first, reader.getDefaultReadLimit())
        reader.stop()
    again = JournalReader(options)
    (part,) = again.partitions({"line": 0}, first)
    assert isinstance(part, JournalLines)
    assert [part.lines] == given == [lines(0, 20)]
    (batch,) = again.read(part)
    assert batch.to_pylist()[19] == {"value": lines(19, 20)[0], "source": path, "block": None, "place": 19}
    assert second == {"line": 40}
    assert again.partitions(second, second) == []
    again.commit(first)
    again.stop()


def test_a_journal_that_was_removed_is_told(tmp_path: Path) -> None:
    path = f"listen://127.0.0.1:{free_port()}"
    reader = JournalReader({"path": path, "journal": str(tmp_path / "journal")})
    with pytest.raises(LookupError, match="has lost"):
        reader.latestOffset({"line": 7}, reader.getDefaultReadLimit())
    reader.stop()
