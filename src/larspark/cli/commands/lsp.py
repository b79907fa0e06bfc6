"""A language server for editors, over standard input and output: errors with hints, hover, definitions, renaming.

Editors start it themselves; `editors/vscode` in the source tree is an extension for VS Code.
"""

from __future__ import annotations

import argparse
import os
import sys

EXAMPLE = """\
  larspark lsp
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """None of its own."""


def run(arguments: argparse.Namespace) -> int:
    from larspark.editor.server import SERVER  # noqa: PLC0415 - a library of its own

    # The server closes what it is given, and the standard streams are needed until the end.
    SERVER.start_io(os.fdopen(os.dup(sys.stdin.fileno()), "rb"), os.fdopen(os.dup(sys.stdout.fileno()), "wb"))
    return 0
