"""What the history has to remember for a program."""

from __future__ import annotations

from larspark.analysis.analysis import Analysis
from larspark.analysis.occurrences import body_occurrences
from larspark.language.tree import At, Atom, Window
from larspark.reasoners.answer_update.history import Arrival, History
from larspark.reasoners.answer_update.windows import Plugins, Substream, counts, forgets, select


def history_for(analysis: Analysis, start: int, plugins: Plugins) -> History:
    """By time as far as the analysis says; by number as long as some counting window selects an arrival."""
    # Data and `@T` conclusions about one predicate: conclusions that are data already are told apart for ever.
    heads = (rule.head for rule in analysis.program.rules)
    pinned = {head.body.signature for head in heads if isinstance(head, At) and isinstance(head.body, Atom)}
    mixed = pinned & (analysis.extensional | analysis.recorded)
    past = {
        signature: None if signature in mixed else retention.past for signature, retention in analysis.retention.items()
    }
    chains = {
        found.context.windows
        for rule in analysis.program.rules
        for found in body_occurrences(rule)
        if any(map(counts, found.context.windows))
    }

    def still_counted(log: list[Arrival], time: int) -> set[int]:
        positions = {id(arrival): position for position, arrival in enumerate(log)}
        return {
            positions[id(arrival)]
            for chain in chains
            for arrival in _through(chain, Substream(start, time, log), time, plugins).arrivals
        }

    droppable = all(forgets(window) for chain in chains for window in chain)
    return History(past, bool(chains), still_counted if droppable else None)


def _through(chain: tuple[Window, ...], stream: Substream, time: int, plugins: Plugins) -> Substream:
    for window in chain:
        stream = select(window, stream, time, plugins)
    return stream
