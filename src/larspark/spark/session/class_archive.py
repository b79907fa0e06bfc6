"""The classes of Spark as Java keeps them in one file, checked and linked: without it they are read at every start.

Java looks for itself whether the file fits the classes that are there, and does without it otherwise.
"""

from __future__ import annotations

import zlib
from functools import cache
from pathlib import Path

import pyspark

from larspark.cache import cache_folder
from larspark.spark.session.java import java_home


@cache
def archive_folder() -> Path:
    """Every Java has its own."""
    home = java_home()
    try:
        java = (home / "release").read_bytes()
    except OSError:
        java = bytes(home)
    return cache_folder(f"spark-{pyspark.__version__}-{zlib.crc32(java):08x}")


def class_archive() -> Path | None:
    """The file, if there is one; Java breaks down over a part of it, so its name tells how long it is."""
    return next((place for place in archive_folder().glob("*.jsa") if place.name == _name(place)), None)


def put_archive(made: Path) -> None:
    """Let a file that is complete be found."""
    made.replace(made.with_name(_name(made)))


def _name(place: Path) -> str:
    return f"classes-{place.stat().st_size}.jsa"


def reading() -> str:
    """What Java is told to use it, if it is there."""
    place = class_archive()
    # That the file is for other classes (of a program that adds its own) is nothing to warn of.
    return f'"-XX:SharedArchiveFile={place}" -Xlog:cds=off -Xlog:cds+dynamic=off' if place else ""


def writing(place: Path) -> str:
    """What Java is told to write it when it ends."""
    return f'"-XX:ArchiveClassesAtExit={place}" -Xlog:cds=off -Xlog:cds+dynamic=off'
