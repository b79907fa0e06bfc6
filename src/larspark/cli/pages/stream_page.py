"""The option `--page` of a stream on Spark."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from larspark.cli.commands.serve import HISTORY, require_server
from larspark.diagnostics import Diagnostic, Rejected
from larspark.explain.evaluations.history import RecordPlace, Refusal
from larspark.language.tree import At, Atom
from larspark.runtime.naming import table_names
from larspark.runtime.prepared import Prepared
from larspark.spark.stream.buckets.counting import last_evaluation, place_of
from larspark.spark.stream.checkpoint import Progress
from larspark.spark.write.dead_letters import DEAD_LETTERS, as_diagnostic, letters_of_file
from larspark.spark.write.names import file_name

Tell = Callable[[Progress], None]


@contextmanager
def stream_page(arguments: argparse.Namespace, prepared: Prepared, sources: Sequence[str]) -> Iterator[Tell]:
    """While the stream runs; what it gives is told after every step."""
    if arguments.page is None:
        yield lambda _now: None
        return
    if arguments.early or arguments.changes:
        message = "The page shows intervals that are final."
        raise Rejected([Diagnostic("E705", message, "Leave out --early and --changes with --page.")])
    require_server()
    from larspark.web.serving import address, beside, door_at  # noqa: PLC0415 - only who wants a page pays for it
    from larspark.web.streaming import StreamFollowing, StreamStep  # noqa: PLC0415

    tables = {file_name(name): signature.predicate for name, signature in table_names(prepared.analysis.shown).items()}
    output = Path(arguments.output)
    followed = StreamFollowing(prepared, Path(arguments.program), HISTORY, output, tables, sources)
    door, listening = door_at("127.0.0.1", arguments.page, None)

    def tell(now: Progress) -> None:
        counts = (now.arrivals, now.late, now.refused, now.came, counts_by_rule(prepared, now))
        letters = letters_of_file(output / DEAD_LETTERS / f"{now.name}.parquet")
        followed.come(StreamStep(now.first, now.watermark, now.heard, *counts), [_refusal(*one) for one in letters])

    with beside(followed, door, listening):
        print(f"the page is at {address(door)}", file=sys.stderr, flush=True)
        yield tell


def _refusal(objection: str, record: str, source: str | None) -> Refusal:
    told = as_diagnostic(objection, record)
    return Refusal(RecordPlace(source, 0) if source else None, told.message, told.code)


def counts_by_rule(prepared: Prepared, now: Progress) -> list[dict[str, int | None] | None] | None:
    """As the page has it: None for facts and constraints, and while nothing is counted."""
    if not now.rules:
        return None
    found: list[dict[str, int | None] | None] = []
    for rule in prepared.analysis.program.rules:
        count = now.rules.get("" if rule.origin is None else place_of(rule.origin), [0, 0, -1])
        gives = bool(rule.body) and isinstance(rule.head, Atom | At)
        found.append({"count": count[0], "last": last_evaluation(count, now.watermark)} if gives else None)
    return found
