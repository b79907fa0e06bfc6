"""The analysis of a program as a page of text: titles on the left, one block per question."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TypeAlias

from rich.console import Console
from rich.text import Text

from larspark.analysis.analysis import Analysis, Retention
from larspark.analysis.partitioning.decompose import decompose
from larspark.analysis.partitioning.stages import Stage, stages
from larspark.analysis.report import fragment_name
from larspark.diagnostics import Diagnostic
from larspark.language.facts import Signature
from larspark.language.tree import Reader

Row: TypeAlias = tuple[str, str]

MOST_LINES = 12
"""How many lines are listed for one reason."""


def print_analysis(analysis: Analysis, console: Console, more: Mapping[str, list[Row]]) -> None:
    """What is it, in which order is it evaluated, who can run it, what must be kept, how can it be split? And more."""
    blocks = {
        "program": [(fragment_name(analysis), f"{len(analysis.program.rules)} rules")],
        "predicates": list(_predicates(analysis)),
        "strata": list(_strata(analysis)),
        "reasoners": list(_reasoners(analysis)),
        "retention": list(_retention(analysis)),
        "partitions": [(part.title, _partitioning(part)) for part in stages(decompose(analysis))],
        **more,
    }
    titles = max(map(len, blocks))
    labels = max(len(label) for rows in blocks.values() for label, _ in rows)
    room = max(30, console.width - titles - labels - 4)
    for title, rows in blocks.items():
        for number, (label, text) in enumerate(rows):
            first, *rest = textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False) or [""]
            line = Text(f"{title if number == 0 else '':{titles}}", style="bold")
            console.print(line.append(f"  {label:{labels}}  {first}", style="not bold"), soft_wrap=True)
            for another in rest:
                console.print(" " * (titles + labels + 4) + another, soft_wrap=True, markup=False)
        if rows:
            console.print()


def _predicates(analysis: Analysis) -> Iterator[Row]:
    for kind, signatures in (
        ("input", analysis.extensional),
        ("background", analysis.background),
        ("derived", analysis.derived),
        ("recorded", analysis.recorded),
    ):
        if signatures:
            yield kind, _listed(signatures)


def _strata(analysis: Analysis) -> Iterator[Row]:
    if analysis.strata is None:
        yield "none", "negation runs in a cycle"
        return
    for number, stratum in enumerate(analysis.strata, 1):
        yield str(number), _listed(stratum)


def _reasoners(analysis: Analysis) -> Iterator[Row]:
    files = {reader.origin.file for reader in analysis.program.readers if reader.origin}
    for name, reasons in analysis.accepts.items():
        against = "; ".join(_with_places(reasons, several_files=len(files) > 1))
        yield name, f"no: {against[0].lower()}{against[1:]}" if against else "yes"


def _with_places(reasons: Iterable[Diagnostic], *, several_files: bool) -> Iterator[str]:
    """Every message once, with the lines that it is about, unless it names places itself."""
    places: dict[str, dict[str, None]] = {}
    for reason in reasons:
        at, message = reason.origin, reason.message.rstrip(".")
        lines = places.setdefault(message, {})
        if at and f"{at.file}:{at.line}:" not in message:
            lines[f"{at.file}:{at.line}" if several_files else str(at.line)] = None
    for message, found in places.items():
        shown = [*islice(found, MOST_LINES)]
        more = f" and {len(found) - len(shown)} more" if len(found) > len(shown) else ""
        word = "" if several_files else "line " if len(found) == 1 else "lines "
        yield f"{message} ({word}{', '.join(shown)}{more})" if found else message


def _retention(analysis: Analysis) -> Iterator[Row]:
    """Predicates that windows reach for, and in one line those that are only read at the current time point."""
    now_only = {
        s: (kept.past, kept.future) == (0, 0) and not kept.by_arrivals for s, kept in analysis.retention.items()
    }
    at_once = [signature for signature, only in now_only.items() if only]
    for signature, kept in analysis.retention.items():
        if signature not in at_once:
            yield str(signature), _reach(kept)
    if at_once:
        yield "now only", _listed(at_once)


def _reach(kept: Retention) -> str:
    parts = []
    if kept.past != 0:
        parts.append("for ever" if kept.past is None else f"{kept.past} time points back")
    if kept.future != 0:
        parts.append("any time ahead" if kept.future is None else f"{kept.future} time points ahead")
    parts += [f"the latest {one.count}{' of whole time points' * one.whole}{_per(one.keys)}" for one in kept.latest]
    parts += [f"the session{_per(one.keys)}, until a pause of more than {one.gap}" for one in kept.sessions]
    return ", ".join(parts) + _place(kept.rule)


def _per(keys: tuple[int, ...]) -> str:
    return f" per argument {', '.join(str(key + 1) for key in keys)}" if keys else ""


def _partitioning(stage: Stage) -> str:
    if stage.fixed:
        return "fixed data"
    decided = ", decided apart from other stages" if stage.chooses else ""
    if stage.obstacles:
        reasons = dict.fromkeys(f"{found.because}{_place(found.rule)}" for found in stage.obstacles)
        return f"one partition{decided}: {'; '.join(reasons)}"
    return f"by {', '.join(dict.fromkeys(key.variable for key in stage.keys))}{decided}"


def _place(rule: Reader | None) -> str:
    return f" (line {rule.origin.line})" if rule and rule.origin else ""


def _listed(signatures: list[Signature] | frozenset[Signature]) -> str:
    return ", ".join(str(signature) for signature in sorted(signatures) if not signature.hidden)
