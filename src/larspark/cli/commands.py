"""The commands, in the order in which `larspark --help` shows them.

A command module offers `EXAMPLE`, `add_arguments(parser)` and `run(arguments) -> int`; it is imported only when it
is used.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Command:
    name: str
    module: str
    summary: str


COMMANDS = (
    Command(
        "check", "larspark.cli.check", "what is wrong with a program, and everything known about it before data arrives"
    ),
)
