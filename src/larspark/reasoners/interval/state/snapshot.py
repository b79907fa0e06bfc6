"""Snapshots: what an evaluation needs to go on elsewhere, in one file that says what it is.

The file is a zip of arrays: `manifest` is JSON (format, program, times, values), the others are columns of the log.
Restoring replays the kept input, which is what a window can still see.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np

from larspark.diagnostics import Rejected
from larspark.intervals.tables.storage import Rows
from larspark.language.facts import Fact, Signature
from larspark.language.values import Value
from larspark.reasoners.packing import damaged, refused

FORMAT = "larspark interval snapshot"
VERSION = 3


@dataclass(frozen=True)
class Snapshot:
    program: str
    """The text of the program."""
    start: int
    time: int
    lateness: int
    arrived: int
    too_late: int
    values: tuple[Value, ...]
    background: tuple[Fact, ...]
    arrivals: Mapping[Signature, Rows]
    stretches: Mapping[Signature, Rows]
    notes: Mapping[Signature, Rows]
    """Recorded conclusions, see `Records`."""

    def dump(self) -> bytes:
        arrays: dict[str, Rows] = {}
        names: dict[str, list[list[object]]] = {kind: [] for kind in _COLUMNS}
        for kind in _COLUMNS:
            columns: Mapping[Signature, Rows] = getattr(self, kind)
            for signature, rows in columns.items():
                name = f"{kind}{len(names[kind])}"
                names[kind].append([name, *signature])
                arrays[name] = rows
        manifest = {
            "format": FORMAT,
            "version": VERSION,
            "columns": names,
            "values": [_packed(value) for value in self.values],
            "background": [[fact.predicate, [_packed(value) for value in fact.args]] for fact in self.background],
            **{name: getattr(self, name) for name in _NUMBERS},
            "program": self.program,
            "digest": _digest(arrays),
        }
        text = json.dumps(manifest, ensure_ascii=False)
        buffer = io.BytesIO()
        named: dict[str, Any] = {"manifest": np.frombuffer(text.encode(), np.uint8), **arrays}
        np.savez_compressed(buffer, **named)
        return buffer.getvalue()

    @classmethod
    def load(cls, data: bytes) -> Snapshot:
        """Read a snapshot; anything else is rejected."""
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as file:
                manifest = json.loads(file["manifest"].tobytes())
                arrays = {name: file[name] for name in file.files if name != "manifest"}
        except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile) as error:
            raise Rejected([damaged()]) from error
        if manifest.get("format") != FORMAT or manifest.get("version") != VERSION:
            raise Rejected([refused(f"The snapshot has version {manifest.get('version')}, this is {VERSION}.")])
        if manifest["digest"] != _digest(arrays):
            raise Rejected([refused("The snapshot is damaged: its columns are not those that were written.")])
        columns = {
            kind: {Signature(name, arity): arrays[key] for key, name, arity in listed}
            for kind, listed in manifest["columns"].items()
        }
        return cls(
            program=manifest["program"],
            **{name: manifest[name] for name in _NUMBERS},
            values=tuple(map(_unpacked, manifest["values"])),
            background=tuple(Fact(name, tuple(map(_unpacked, args))) for name, args in manifest["background"]),
            arrivals=columns["arrivals"],
            stretches=columns["stretches"],
            notes=columns["notes"],
        )

    def require(self, program: str) -> Snapshot:
        """This snapshot, if it belongs to the program."""
        if self.program != program:
            raise Rejected([refused("The snapshot was taken of another program.")])
        return self


_COLUMNS = ("arrivals", "stretches", "notes")
_NUMBERS = ("start", "time", "lateness", "arrived", "too_late")


def _packed(value: Value) -> object:
    return {"decimal": str(value)} if isinstance(value, Decimal) else value


def _unpacked(value: object) -> Value:
    match value:
        case {"decimal": str(text)}:
            return Decimal(text)
        case int() | str():
            return value
    raise Rejected([refused("The snapshot holds something that is not a value.")])


def _digest(arrays: Mapping[str, Rows]) -> str:
    digest = hashlib.sha256()
    for name, rows in sorted(arrays.items()):
        digest.update(f"{name} {rows.shape} {rows.dtype}".encode())
        digest.update(np.ascontiguousarray(rows).tobytes())
    return digest.hexdigest()
