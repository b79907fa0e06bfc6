"""The tick engine as it runs: real processes, real sockets."""

from __future__ import annotations

import json
import signal
import socket
import struct
import time
from functools import partial
from pathlib import Path

import pytest

from larspark.reasoners.registry import REASONERS
from support import tick_process
from support.tick_process import connect, free_port, primed, send

ALARM = "alarm(X) :- hot(X) [2], not ok [1]."


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "alarm.lars"
    path.write_text(ALARM)
    return path


run = partial(tick_process.run, reasoner="answer-update")
running = partial(tick_process.running, reasoner="answer-update")

RECORDED = '@3 hot(a); hot(b)\n% a comment\n\n@5 ok\n{"time": 9, "atom": "hot(c)"}\n'


def test_recorded_lines_on_standard_input(program: Path) -> None:
    done = run(program, lines=RECORDED)
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        "3: alarm(a), hot(a)",
        "3: alarm(a), alarm(b), hot(a), hot(b)",
        "4: alarm(a), alarm(b)",
        "5: ok",
        "6: -",
        "9: alarm(c), hot(c)",
    ]
    assert done.stderr.startswith("4 events used, 0 late, 0 rejected;")


def test_json_and_pull_output(program: Path) -> None:
    done = run(program, "--format", "json", "-e", "2s", "-f", "inferences", lines=RECORDED)
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"time": 5, "count": 3, "model": []},
        {"time": 7, "count": 3, "model": []},
        {"time": 9, "count": 4, "model": ["alarm(c)"]},
    ]
    assert json.loads(done.stderr)["used"] == 4


def test_changes_instead_of_models(program: Path) -> None:
    done = run(program, "--print", "changes", "-f", "alarm", lines="@0 hot(a)\n@1 hot(b)\n@3 ok\n")
    assert done.stdout.splitlines() == ["0: + alarm(a)", "1: + alarm(b)", "3: - alarm(a)", "3: - alarm(b)"]


def test_bad_lines_are_reported_with_their_number_and_counted(program: Path) -> None:
    done = run(program, lines="@1 hot(a)\n@1 hot(\n@1 alarm(z)\n@-4 ok\n@3 ok\n@2 ok\n\x00\n")
    assert done.returncode == 0
    assert "stdin:2:1: `hot(` is not a ground atom" in done.stderr
    assert "stdin:3:1: alarm/1 is derived by the rule" in done.stderr
    assert "stdin:6:1: ok comes late: its time point 2 is over" in done.stderr
    assert "2 events used, 1 late, 4 rejected" in done.stderr
    silent = run(program, "-l", "none", lines="@1 hot(\n")
    assert silent.stderr == ""


def test_bad_lines_as_json(program: Path) -> None:
    done = run(program, "--format", "json", lines="@1 hot(\n@1 alarm(z)\n@3 ok\n@2 ok\n")
    *told, summary = map(json.loads, done.stderr.splitlines())
    assert [(one["code"], one["file"], one["line"]) for one in told if one["severity"] == "error"] == [
        ("E403", "stdin", 1),
        ("E409", "stdin", 2),
        ("E405", "stdin", 4),
    ]
    assert (summary["used"], summary["late"], summary["rejected"]) == (1, 1, 2)


@pytest.mark.parametrize("reasoner", REASONERS)
def test_every_reasoner_runs(program: Path, reasoner: str) -> None:
    done = run(program, "-f", "alarm", "-e", "time", lines=RECORDED, reasoner=reasoner)
    expected = ["4: alarm(a), alarm(b)", "5: -", "6: -", "7: -", "8: -", "9: alarm(c)"]
    assert (done.returncode, done.stdout.splitlines()) == (0, expected)


def test_the_default_reasoner_takes_what_the_program_needs(tmp_path: Path) -> None:
    path = tmp_path / "odd.lars"
    path.write_text("x :- a [1], not x. y :- not x.")
    done = run(path, "-f", "inferences", reasoner="incremental", lines="@1 b\n@2 a\n@5 b\n")
    assert done.stdout.splitlines() == ["1: y", "2: no answer stream", "4: y"]
    refused = run(path, reasoner="interval")
    assert refused.returncode == 1
    assert "Negation runs in a cycle: x/0 → not x/0" in refused.stderr
    assert "--reasoner clingo" in refused.stderr


def test_clients_that_vanish_hold_up_nobody(program: Path) -> None:
    """One source is cut off in the middle of a line, one consumer goes without a word; others go on."""
    source, sink = free_port(), free_port()
    options = ("-i", f"socket:{source}", "-o", f"socket:{sink}", "-e", "signal", "-f", "pad", "--time", "input")
    with running(program, *options) as process:
        with connect(sink) as staying:
            with connect(source) as writer, connect(sink) as leaving:
                primed(writer, leaving)
                leaving.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # reset, not close
            with connect(source) as writer:
                writer.sendall(b"@1 pad(1)\n@1 pad(")
                time.sleep(0.3)
                writer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            send(source, "@2 pad(2)\n")
            received = b""
            while not received.endswith(b"2: pad(2)\n"):
                received += staying.recv(1 << 16)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=30)
    assert process.returncode == 0
    assert b"1: pad(0), pad(1)\n" not in received
    assert b"1: pad(1)\n" in received
    assert "events used, 0 late" in errors


@pytest.mark.parametrize("wrong", [("--buffer", "0"), ("--speed", "-1"), ("-e", "0signals"), ("-i", "socket:x")])
def test_wrong_usage(program: Path, wrong: tuple[str, str]) -> None:
    done = run(program, *wrong)
    assert done.returncode == 2
    assert wrong[0] in done.stderr


def test_recorded_times_are_replayed_at_a_pace(program: Path) -> None:
    started = time.monotonic()
    done = run(program, "--speed", "10", "-f", "alarm", lines="@1 hot(a)\n@21 ok\n")
    assert done.stdout.splitlines() == ["1: alarm(a)", "4: -"]
    assert time.monotonic() - started >= 2


def test_a_program_without_input_says_what_holds(tmp_path: Path) -> None:
    path = tmp_path / "facts.lars"
    path.write_text("p(1).")
    assert run(path).stdout == "0: p(1)\n"


def test_files_are_merged_by_time(program: Path, tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("@1 hot(a)\n@6 hot(c)\n")
    (tmp_path / "two.csv").write_text("time,predicate,arg1\n2,hot,b\nsoon,hot,z\n7,ok,\n")
    output = tmp_path / "out.txt"
    sources = f"{tmp_path / 'one.txt'},{tmp_path / 'two.csv'}"
    done = run(program, "-i", sources, "-o", f"stdout,{output}", "-e", "signal", "-f", "alarm")
    assert done.stdout.splitlines() == ["1: alarm(a)", "2: alarm(a), alarm(b)", "6: alarm(c)", "7: -"]
    assert output.read_text() == done.stdout


def test_clients_come_and_go(program: Path) -> None:
    port = free_port()
    with running(program, "-i", f"socket:{port}", "-e", "signal", "-f", "hot", "--time", "input") as process:
        assert process.stdout is not None
        send(port, "@1 hot(a)\n")
        assert process.stdout.readline() == "1: hot(a)\n"
        with connect(port) as first, connect(port) as second:
            first.sendall(b"@2 ho")
            second.sendall(b"@2 hot(b)\n")
            assert process.stdout.readline() == "2: hot(b)\n"
            first.sendall(b"t(c)\n")
            assert process.stdout.readline() == "2: hot(b), hot(c)\n"
        send(port, "@3 hot(d)")  # the last line needs no line end
        assert process.stdout.readline() == "3: hot(d)\n"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
        assert process.returncode == 0
        assert "4 events used" in errors


def test_sources_together_until_the_last_one_ends(program: Path) -> None:
    port = free_port()
    with running(
        program, "-i", f"stdin,socket:{port}", "--once", "-e", "signal", "-f", "hot", "--time", "input"
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("@1 hot(a)\n")
        process.stdin.close()
        process.stdin = None
        assert process.stdout.readline() == "1: hot(a)\n"
        send(port, "@2 hot(b)\n")
        output, _ = process.communicate(timeout=30)
        assert output == "2: hot(b)\n"
        assert process.returncode == 0


def test_time_passes_by_the_wall_clock(program: Path) -> None:
    with running(program, "-c", "200ms", "-f", "alarm", "--format", "json") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("hot(a)\n")
        process.stdin.flush()
        on = json.loads(process.stdout.readline())
        off = json.loads(process.stdout.readline())
        assert (on["model"], off["model"]) == (["alarm(a)"], [])
        assert off["time"] == on["time"] + 3


def test_every_signal_is_judged_while_the_engine_keeps_up(program: Path) -> None:
    done = run(program, "-f", "alarm", "-c", "1min", lines="hot(a); hot(b)\nhot(c)\n")
    assert done.stdout.splitlines() == ["0: alarm(a)", "0: alarm(a), alarm(b)", "0: alarm(a), alarm(b), alarm(c)"]


def rest_of(reader: socket.socket) -> bytes:
    received = b""
    while chunk := reader.recv(1 << 16):
        received += chunk
    return received


PIPE = ("--once", "-e", "signal", "--time", "input", "-f", "pad", "--format", "json")


def test_a_client_of_a_sink_gets_what_is_written(program: Path) -> None:
    source, sink = free_port(), free_port()
    with running(program, "-i", f"socket:{source}", "-o", f"socket:{sink}", *PIPE) as process:
        with connect(sink) as reader:
            with connect(source) as writer:
                received = primed(writer, reader)
                writer.sendall("".join(f"@{n} pad({n})\n" for n in range(200)).encode())
            received += rest_of(reader)
        assert process.wait(30) == 0
    counts = [json.loads(line)["count"] for line in received.splitlines()]
    assert counts == list(range(counts[0], counts[-1] + 1))
    assert json.loads(received.splitlines()[-1])["model"] == ["pad(199)"]


@pytest.mark.parametrize(("slow", "complete"), [("drop", False), ("wait", True)])
def test_slow_consumers(program: Path, slow: str, complete: bool) -> None:
    """The reader sleeps while 3000 models of some 2 kB are written: more than system buffers hold."""
    source, sink = free_port(), free_port()
    options = ("-i", f"socket:{source}", "-o", f"socket:{sink}", "--slow", slow, "--buffer", "20")
    with running(program, *options, *PIPE) as process:
        with connect(sink, receive_buffer=4096) as reader:
            with connect(source) as writer:
                received = primed(writer, reader)
                writer.sendall("".join(f'@{n} pad({n},"{"x" * 2000}")\n' for n in range(3000)).encode())
            time.sleep(1.0)
            received += rest_of(reader)
        _, errors = process.communicate(timeout=60)
    summary = json.loads(errors.splitlines()[-1])
    lines = received.splitlines()
    missed = json.loads(lines[0])["count"] - 1  # before the reader was known
    assert len(lines) + summary["dropped"] == summary["used"] - missed
    assert (summary["dropped"] == 0) is complete


def pour(writer: socket.socket) -> None:
    """Half a gigabyte, far more than all buffers hold."""
    for first in range(0, 250_000, 500):
        writer.sendall("".join(f'@{n} pad({n},"{"x" * 2000}")\n' for n in range(first, first + 500)).encode())


def test_ctrl_c_does_not_wait_for_a_consumer_that_never_reads(program: Path) -> None:
    source, sink = free_port(), free_port()
    options = ("-i", f"socket:{source}", "-o", f"socket:{sink}", "--slow", "wait", "--buffer", "5")
    with (
        running(program, *options, *PIPE) as process,
        connect(sink, receive_buffer=4096) as reader,
        connect(source) as writer,
    ):
        primed(writer, reader)
        writer.settimeout(3)
        with pytest.raises(TimeoutError):  # held back, all the way to the writer, once what is on its way is full
            pour(writer)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    assert process.returncode == 0
    assert json.loads(errors.splitlines()[-1])["used"] > 0


def test_a_port_in_use_is_told(program: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = run(program, "-i", f"socket:{taken.getsockname()[1]}")
    assert done.returncode == 1
    assert "is in use" in done.stderr


def test_windows_and_output_must_fit_the_clock(tmp_path: Path) -> None:
    path = tmp_path / "p.lars"
    path.write_text("a :- b [3 s].")
    assert "multiple of the clock" in run(path, "-c", "2s").stderr
    wrong = run(path, "-c", "1s", "-e", "1500ms")
    assert wrong.returncode == 1
    assert "does not fit the clock" in wrong.stderr


def test_output_into_a_closed_pipe_ends_the_run(program: Path) -> None:
    with running(program, "-c", "20ms", "-e", "time") as process:
        assert process.stdout is not None
        assert process.stdin is not None
        process.stdin.write("hot(a)\n")
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(30) == 0


def test_two_reasoners_agree(program: Path) -> None:
    done = run(program, "--agree", "answer-update,reference", lines=RECORDED)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 6


def test_two_reasoners_that_disagree_stop(tmp_path: Path) -> None:
    """Exact reasoners never differ on a program that means one thing, so this one does not: its function counts."""
    (tmp_path / "count.py").write_text("calls = []\n\ndef unsteady(x):\n    calls.append(x)\n    return len(calls)\n")
    program = tmp_path / "p.lars"
    program.write_text('#function unsteady/1 from "count.py". h(Y) :- a(X), Y = unsteady(X).')
    lines = '{"time": 1, "atom": "a(1)"}\n{"time": 2, "atom": "a(2)"}\n'
    done = run(program, "--agree", "clingo,reference", "--allow-functions", lines=lines)
    assert done.returncode == 1
    assert "clingo and reference disagree:\n  clingo at 1: h(1)\n  reference at 1: h(2)\n" in done.stderr
    assert 'The stream so far:\n{"time": 1, "atom": "a(1)"}\n' in done.stderr


@pytest.mark.parametrize("every", ["time", "change"])
def test_nothing_is_lost_on_the_way_in(tmp_path: Path, every: str) -> None:
    """Two clients at full speed, ever new atoms, the default reasoner; the last model has them all."""
    path, sent = tmp_path / "diamond.lars", 10_000
    path.write_text("q(X) :- p(X) [1 h].")
    port = free_port()
    options = ("-i", f"socket:{port}", "--once", "-e", every, "-f", "q", "--time", "wall", "-c", "50ms")
    with running(path, *options, "--format", "json") as process:
        with connect(port) as first, connect(port) as second:
            time.sleep(0.2)  # the first time point, of which `-e time` writes nothing, is over
            for number, client in enumerate([first, second]):
                client.sendall("".join(f"p({2 * n + number})\n" for n in range(sent // 2)).encode())
        output, errors = process.communicate(timeout=120)
    assert json.loads(errors)["used"] == sent
    last = json.loads(output.splitlines()[-1])
    assert last["count"] == sent
    assert last["model"] == [f"q({n})" for n in range(sent)]
