"""What the history has to remember for a program."""

from __future__ import annotations

from larspark.analysis.analysis import Analysis
from larspark.analysis.structure.occurrences import body_occurrences
from larspark.language.tree import At, Atom
from larspark.language.windows.selection import Arrival
from larspark.reasoners.answer_update.history import ArrivalHistory
from larspark.reasoners.answer_update.windows import select
from larspark.reasoners.selection import forgetting


def history_for(analysis: Analysis, start: int) -> ArrivalHistory:
    """By time as far as the analysis says; by number as long as some counting window selects an arrival."""
    # Data and `@T` conclusions about one predicate: conclusions that are data already are told apart for ever.
    heads = (rule.head for rule in analysis.program.rules)
    pinned = {head.body.signature for head in heads if isinstance(head, At) and isinstance(head.body, Atom)}
    mixed = pinned & (analysis.extensional | analysis.recorded)
    past = {
        signature: None if signature in mixed else retention.past for signature, retention in analysis.retention.items()
    }
    chains = {
        found.windows for rule in analysis.program.rules for found in body_occurrences(rule) if found.counts_arrivals
    }

    beginnings = [forgetting(chain) for chain in chains]

    def still_counted(log: list[Arrival], time: int) -> set[Arrival]:
        return {arrival for one in beginnings for arrival in select(one, log, start, time).arrivals}

    return ArrivalHistory(past, bool(chains), still_counted if all(beginnings) else None, analysis.held)
