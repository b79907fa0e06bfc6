from __future__ import annotations

import subprocess
import sys

import pytest

from larspark.cli.commands import COMMANDS


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
def test_every_command_teaches_by_example(larspark, command):
    outcome = larspark(command, "--help")
    assert outcome.status == 0
    assert f"larspark {command}" in outcome.out.split("example:")[1]
    assert "--format" in outcome.out


def test_the_overview_lists_every_command(larspark):
    outcome = larspark("--help")
    assert outcome.status == 0
    assert all(f"\n  {command.name} " in outcome.out for command in COMMANDS)


def test_a_closed_pipe_ends_quietly():
    command = [sys.executable, "-m", "larspark", "demo", "machines", "--format", "json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline().startswith('{"time": 0')
        process.stdout.close()
        assert process.stderr.read() == ""
