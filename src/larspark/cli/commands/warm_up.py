"""Make now what first uses would make: compiled kernels, and the classes of Spark as Java starts fastest with them.

Kernels that are compiled here run on every machine of the same kind with the same versions: an image of a container can
carry them, and Spark hands them to executors that have none. Otherwise the first use of the reasoner compiles them.
With the file of classes, which has some 180 MB, embedded Spark and its first query start in two thirds of the time.
"""

from __future__ import annotations

import argparse
import json
import time
from importlib.util import find_spec

from larspark.kernels import store
from larspark.kernels.build import provide_kernels

EXAMPLE = """\
  larspark warm-up
  larspark warm-up kernels
  LARSPARK_CACHE=/opt/larspark larspark warm-up
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("part", nargs="?", choices=("kernels", "spark"), help="only these (default: both)")


def run(arguments: argparse.Namespace) -> int:
    began = time.monotonic()
    made: dict[str, object] = {}
    for part, make in PARTS.items():
        if arguments.part in (None, part):
            made |= make(told=arguments.format == "text")
    if arguments.format == "json":
        print(json.dumps({**made, "seconds": round(time.monotonic() - began, 1)}))
    return 0 if made.get("complete", True) else 1


def _kernels(*, told: bool) -> dict[str, object]:
    began = time.monotonic()
    provide_kernels()
    folder = store.complete_folder()
    if told and folder is None:
        print("Some kernels could not be compiled; they are compiled where they are used.")
    elif told and folder is not None:
        size = sum(path.stat().st_size for path in folder.iterdir())
        print(f"Compiled kernels, {size / 1e6:.0f} MB, are in {folder} ({time.monotonic() - began:.1f} s).")
    return {"complete": folder is not None, "folder": None if folder is None else str(folder)}


def _classes(*, told: bool) -> dict[str, object]:
    """Without Spark, or with a Java that cannot keep classes, there are none."""
    if find_spec("pyspark") is None:
        return {"classes": None}
    from larspark.spark.warm_up import make_class_archive  # noqa: PLC0415 - imports Spark

    began = time.monotonic()
    place = make_class_archive()
    if told and place is None:
        print("The classes of Spark are read at every start: this Java does not keep them.")
    elif told and place is not None:
        size = place.stat().st_size
        print(f"Classes of Spark, {size / 1e6:.0f} MB, are in {place.parent} ({time.monotonic() - began:.1f} s).")
    return {"classes": None if place is None else str(place)}


PARTS = {"kernels": _kernels, "spark": _classes}
