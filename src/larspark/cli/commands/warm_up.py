"""Compile the kernels of the interval reasoner now, and tell where they are kept.

Otherwise the first use of the reasoner does it. What is compiled here runs on every machine of the same kind with the
same versions: an image of a container can carry it, and Spark hands it to executors that have none.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from larspark.kernels import store
from larspark.kernels.build import provide_kernels

EXAMPLE = """\
  larspark warm-up
  LARSPARK_CACHE=/opt/larspark larspark warm-up
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """None of its own."""


def run(arguments: argparse.Namespace) -> int:
    began = time.monotonic()
    provide_kernels()
    seconds = round(time.monotonic() - began, 1)
    folder = store.complete_folder()
    if arguments.format == "json":
        print(json.dumps({"complete": folder is not None, "folder": _told(folder), "seconds": seconds}))
    elif folder is None:
        print("Some kernels could not be compiled; they are compiled where they are used.")
    else:
        size = sum(path.stat().st_size for path in folder.iterdir())
        print(f"Compiled kernels, {size / 1e6:.0f} MB, are in {folder} ({seconds} s).")
    return 0 if folder is not None else 1


def _told(folder: Path | None) -> str | None:
    return None if folder is None else str(folder)
