"""What a process and those below it have used."""

from __future__ import annotations

import subprocess
import sys

from larspark.bench.measuring.process import peak_bytes
from larspark.bench.measuring.tree import cpu_of_tree, peak_of_tree

BUSY = """
import sys, time
taken = bytearray(1 << 26)
while time.process_time() < 0.3:
    pass
print("ready", flush=True)
sys.stdin.read()
"""


def test_processes_below_count_while_they_live_and_when_they_have_ended() -> None:
    before = cpu_of_tree()
    with subprocess.Popen([sys.executable, "-c", BUSY], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        assert cpu_of_tree() - before > 0.25
        alone = peak_of_tree()
    assert cpu_of_tree() - before > 0.25
    assert alone - peak_of_tree() > 1 << 26


GROWN = "from larspark.bench.measuring.process import peak_bytes; print(peak_bytes())"


def test_the_size_of_who_starts_a_process_is_not_its_own() -> None:
    taken = bytearray(1 << 28)
    started = subprocess.run([sys.executable, "-c", GROWN], stdout=subprocess.PIPE, check=True)
    assert 0 < int(started.stdout) < len(taken) < peak_bytes()


def test_who_has_ended_has_no_size() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        pass
    assert peak_bytes(ended.pid) == 0
