"""Dispatch, help, and the exit status: 0 done, 1 input rejected, 2 wrong usage."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from types import ModuleType

import larspark
from larspark.cli.commands import COMMANDS, Command
from larspark.cli.display.report import report
from larspark.diagnostics import Diagnostic, Rejected
from larspark.extras import missing_part
from larspark.loading import load, load_arrow_alone

DESCRIPTION = """\
larspark keeps the answers of rules over streams current, exact to the logic LARS.

start here:
  larspark demo                                       an example, end to end
  larspark check examples/transport.lars              is my program right, and what will it cost?
  larspark eval program.lars --stream events.jsonl    what follows, at every time point
"""

IN_COLUMNS = ("eval", "query", "tick")
"""The commands that always need Arrow, and never pandas."""


def parser_for(command: Command, module: ModuleType) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"larspark {command.name}",
        description=(module.__doc__ or command.summary).strip(),
        epilog=f"example:\n{module.EXAMPLE}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.register("action", None, StoreOnce)
    parser.register("action", "store", StoreOnce)
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print (default: text)")
    module.add_arguments(parser)
    return parser


class StoreOnce(argparse.Action):
    """A value that is given once: a second one would silently replace the first."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        given: set[str] = namespace.__dict__.setdefault("_given", set())
        if self.option_strings and self.dest in given:
            parser.error(f"{option_string} is given twice; a folder of files is read as one stream")
        given.add(self.dest)
        setattr(namespace, self.dest, values)


def overview() -> str:
    width = max(len(command.name) for command in COMMANDS)
    lines = "\n".join(f"  {command.name:{width}}  {command.summary}" for command in COMMANDS)
    closing = "`larspark COMMAND --help` teaches each command by example."
    return f"usage: larspark COMMAND …\n\n{DESCRIPTION}\ncommands:\n{lines}\n\n{closing}\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the value is the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    if not words or words[0] in ("-h", "--help", "help"):
        sys.stdout.write(overview())
        return 0 if words else 2
    if words[0] in ("-V", "--version"):
        print(f"larspark {larspark.__version__}")
        return 0
    command = next((command for command in COMMANDS if command.name == words[0]), None)
    if command is None:
        near = get_close_matches(words[0], [command.name for command in COMMANDS], 1)
        guess = f"did you mean {near[0]!r}? " if near else ""
        print(f"larspark: there is no command {words[0]!r}; {guess}`larspark --help` lists them", file=sys.stderr)
        return 2
    try:
        if argv is None and command.name in IN_COLUMNS:  # the process is ours
            load_arrow_alone()
        module = load(command.module)
        arguments = parser_for(command, module).parse_args(words[1:])
        return _run(module, arguments)
    except ModuleNotFoundError as error:
        diagnostic = missing_part(error)
        if diagnostic is None:
            raise
        report([diagnostic], "json" if "json" in words else "text")
        return 1


def _run(module: ModuleType, arguments: argparse.Namespace) -> int:
    try:
        status: int = module.run(arguments)
        sys.stdout.flush()
    except Rejected as rejected:
        report(rejected.diagnostics, arguments.format, {"<formula>": getattr(arguments, "formula", "")})
        return 1
    except BrokenPipeError:  # the reader (`| head`) went away: end quietly, and keep the interpreter from complaining
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        message = f"{where}{error.strerror or error}."
        report([Diagnostic("E702", message, "Check the path and its permissions.")], arguments.format)
        return 1
    except KeyboardInterrupt:
        return 130
    return status
