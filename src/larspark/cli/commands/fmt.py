"""Lay programs out as everybody lays them out: spaces and indentation; words, comments and line breaks stay.

Files are rewritten in place, unless they are only checked; `-` reads the standard input and prints the result.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from larspark.cache import write_whole
from larspark.language.printing.format import format_program

EXAMPLE = """\
  larspark fmt program.lars
  larspark fmt --check rules/*.lars
  larspark fmt - < program.lars
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="programs; - is the standard input")
    parser.add_argument(
        "--check", action="store_true", help="change nothing; the status is 1 if something would change"
    )


def run(arguments: argparse.Namespace) -> int:
    changed = [file for file in arguments.files if _format(file, check=arguments.check)]
    if arguments.format == "json":
        print(json.dumps({"changed": changed}))
    else:
        for file in changed:
            print(f"{'would change' if arguments.check else 'changed'} {file}", file=sys.stderr)
    return 1 if arguments.check and changed else 0


def _format(file: str, *, check: bool) -> bool:
    """Whether the file is not, or was not, laid out."""
    if file == "-":
        text = sys.stdin.read()
        laid_out = format_program(text, "<stdin>")
        if not check:
            sys.stdout.write(laid_out)
        return check and laid_out != text
    path = Path(file)
    text = path.read_text(encoding="utf-8")
    laid_out = format_program(text, file)
    if laid_out != text and not check:
        write_whole(path, laid_out.encode())
    return laid_out != text
