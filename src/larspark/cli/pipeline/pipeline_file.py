"""Pipeline files, YAML or TOML: everything the command `run` can be told, written down. See docs/spark.md."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import yaml

from larspark.diagnostics import Diagnostic, Origin, Rejected
from larspark.read import at_line
from larspark.spark.read.rules import InputSource

ENDINGS = (".yml", ".yaml", ".toml")

OPTIONS: Mapping[str, type | tuple[type, ...]] = {
    "program": str,
    "input": (str, list),
    "output": str,
    "background": (str, list),
    "master": str,
    "partitions": int,
    "clock": str,
    "epoch": (str, date),
    "timezone": str,
    "lateness": (str, int),
    "follow": bool,
    "once": bool,
    "early": bool,
    "on_error": str,
    "table_format": str,
    "changes": bool,
    "timeline": list,
    "const": dict,
    "checkpoint": str,
    "jars": (str, list),
    "strict": bool,
    "refused": str,
}

FORMS = {
    "clock": "A length of time has a unit: `clock: 5 s`, or another of ms, s, min, h, d.",
    "timeline": "It is a list of two: `timeline: [0, 100]`.",
    "partitions": "It is a whole number: `partitions: 8`.",
    "const": "It has names and values: `const: {limit: 80}`.",
}
"""How an entry is written that many write otherwise."""


def read_pipeline(path: Path) -> dict[str, Any]:
    """The entries of a pipeline file; paths in it are relative to it."""
    try:
        text = path.read_text(encoding="utf-8")
        data = tomllib.loads(text) if path.suffix.lower() == ".toml" else yaml.safe_load(text)
    except OSError as error:
        raise _wrong(path, f"The file cannot be read: {error.strerror}.", "Check its name.") from error
    except (yaml.YAMLError, tomllib.TOMLDecodeError) as error:
        raise _malformed(path, error) from error
    if not isinstance(data, dict) or "program" not in data:
        raise _wrong(path, "A pipeline file names a program.", "Add a line `program: alarms.lars`.")
    for name, value in data.items():
        _check(path, str(name), value)
    folder = path.parent
    entries = dict(data)
    entries["program"] = str(folder / entries["program"])
    entries["background"] = [str(folder / str(one)) for one in _listed(entries.get("background", []))]
    entries["input"] = [_source(path, one) for one in _listed(entries.get("input", []))]
    if "output" in entries:
        entries["output"] = _placed(entries["output"], path)
    if "checkpoint" in entries:
        entries["checkpoint"] = str(folder / entries["checkpoint"])
    if "refused" in entries:
        entries["refused"] = str(folder / entries["refused"])
    entries["jars"] = [str(folder / str(one)) for one in _listed(entries.get("jars", []))]
    return entries


def _check(path: Path, name: str, value: object) -> None:
    if name not in OPTIONS:
        near = get_close_matches(name, OPTIONS, 1)
        hint = f"Did you mean `{near[0]}`?" if near else f"The entries are {', '.join(OPTIONS)}."
        raise wrong_entry(path, name, f"There is no entry `{name}` in a pipeline file.", hint)
    if not isinstance(value, OPTIONS[name]) or (isinstance(value, bool) and OPTIONS[name] is int):
        hint = FORMS.get(name, "See docs/spark.md for its form.")
        raise wrong_entry(path, name, f"The entry `{name}` cannot be {value!r}.", hint)


def _source(path: Path, entry: object) -> InputSource:
    if isinstance(entry, str):
        return InputSource(_placed(entry, path))
    known = {one.name for one in fields(InputSource)}
    if not isinstance(entry, dict) or not entry.keys() <= known or not entry.keys() & {"path", "format"}:
        raise _wrong(path, f"The input {entry!r} is not one.", f"Give a path, or some of {', '.join(sorted(known))}.")
    given = dict(entry)
    if "path" in given:
        given["path"] = _placed(given["path"], path)
    if "columns" in given:
        given["columns"] = tuple(map(str, given["columns"]))
    if "options" in given:
        given["options"] = {str(name): str(value) for name, value in given["options"].items()}
    return InputSource(**given)


def _placed(place: str, path: Path) -> str:
    """Files are named from the pipeline file; addresses and tables are what they are."""
    return place if "://" in place or place.startswith("table:") else str(path.parent / place)


def _listed(value: object) -> list[object]:
    return list(value) if isinstance(value, list) else [value]


def wrong_entry(path: Path, name: str, message: str, hint: str) -> Rejected:
    """At the line of the entry."""
    lines = path.read_text(encoding="utf-8").splitlines()
    found = (number for number, line in enumerate(lines, 1) if re.match(rf"[\"']?{re.escape(name)}[\"']?\s*[:=]", line))
    return Rejected([Diagnostic("E606", message, hint, at_line(str(path), next(found, 1)))])


def _malformed(path: Path, error: yaml.YAMLError | tomllib.TOMLDecodeError) -> Rejected:
    """At the place where it goes wrong."""
    if not isinstance(error, yaml.MarkedYAMLError):
        first = str(error).splitlines()[0]
        return _wrong(path, f"The file is not well formed: {first}.", "Check quotes, brackets and equals signs.")
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    message = f"This is not YAML: {error.problem or error.context}."
    hint = "Entries of one level, `name: value`, begin in the same column: look at the blanks in front of this line."
    return Rejected([Diagnostic("E606", message, hint, Origin(str(path), line, column, line, column + 1))])


def _wrong(path: Path, message: str, hint: str) -> Rejected:
    return Rejected([Diagnostic("E606", message, hint, at_line(str(path), 1))])
