"""Operators on arrivals: windows that count, held input, runs of arrivals, and chains of windows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

import numpy as np

from larspark.intervals.tables.storage import Rows
from larspark.intervals.tables.watch import NEVER
from larspark.language.facts import Signature
from larspark.reasoners.interval.engine.gates import ArrivalNode, Gates, make_gates
from larspark.reasoners.interval.network import (
    Counted,
    Filled,
    Held,
    InSession,
    Network,
    Relation,
    Run,
    Selected,
    Spanned,
)
from larspark.reasoners.interval.operators.counting import Counting, Filling, can_pass
from larspark.reasoners.interval.operators.holding import Holding
from larspark.reasoners.interval.operators.operators import ExtendedRuns
from larspark.reasoners.interval.operators.selecting import Selecting, Selector, Spanning
from larspark.reasoners.interval.operators.sessions import Sessions
from larspark.reasoners.interval.state.arrivals import Arrivals
from larspark.reasoners.interval.state.dictionary import Dictionary


class InputOperators:
    """Asked for what changes with arrivals; only those that the predicates that have arrived concern do anything."""

    def __init__(self, network: Network, dictionary: Dictionary) -> None:
        self._running: dict[Signature | None, list[ExtendedRuns]] = {}
        self._holding: dict[Signature, list[Holding]] = {}
        self._counting: list[Counting | Filling] = []
        self.sessions: list[Sessions] = []
        self.selecting: list[Selector] = []
        """These look at every time point."""
        self._counting_of: dict[Signature, list[Counting | Filling]] = {}
        self._numbered = np.zeros(1, np.int64)
        """How many numbers have been given to arrivals."""
        self._windows: list[tuple[ArrivalNode, list[int]]] = []
        for node in network.operators:
            match node:
                case Run(source=source):
                    running = ExtendedRuns(node, network.start)
                    self._running.setdefault(source.signature, []).append(running)
                    self._windows.append((node, running.window))
                case Held(signature, target):
                    holding = Holding(node, joined=network.looks_up(target))
                    self._holding.setdefault(signature, []).append(holding)
                    self._windows.append((node, holding.window))
                case Counted() | Filled():
                    counting = Counting(node) if isinstance(node, Counted) else Filling(node, network.start)
                    self._counting.append(counting)
                    self._windows.append((node, counting.window))
                case InSession():
                    self.sessions.append(Sessions(node))
                case Selected():
                    self.selecting.append(Selecting(node, dictionary, network.start))
                case Spanned():
                    self.selecting.append(Spanning(node, dictionary, network.start))

    @cached_property
    def any(self) -> bool:
        return bool(self._running or self._holding or self._counting or self.sessions or self.selecting)

    @property
    def one_by_one(self) -> bool:
        """Whether arrivals can come one by one: nothing but arrivals changes anything."""
        return not (self.sessions or self.selecting)

    def gates(self, entering: Mapping[Signature, int]) -> Gates:
        """Where they come in; `entering` are the numbers of input relations that parts read."""
        return make_gates(entering, self._windows if self.one_by_one else (), self._numbered)

    def hold(self, step_at: int, arrivals: Arrivals) -> None:
        """Let a step that has begun know what arrives of held predicates."""
        for signature, batch in arrivals.batches.items() if self._holding else ():
            for holding in self._holding.get(signature, ()):
                holding.arrive(step_at, batch)

    def change(self, arrivals: Arrivals, after: int, until: int, horizon: int) -> Iterator[tuple[Relation, Rows, Rows]]:
        """Relations, other than those of held predicates, with the rows they gain and lose."""
        for signature, batch in arrivals.batches.items() if self._running else ():
            for running in self._running.get(signature, ()):
                found = running.extend(batch.rows(), horizon)
                yield running.target, found, found[:0]
        if self._counting or self.sessions:
            numbered = int(self._numbered[0])
            for counting in self._concerned(arrivals):
                yield counting.node.target, *counting.change(arrivals, numbered)
            for sessions in self.sessions:
                yield sessions.node.target, *sessions.change(arrivals, numbered, until, horizon)
            self._numbered += arrivals.places
        for selecting in self.selecting:
            yield selecting.target, *selecting.change(arrivals, after, until)

    @property
    def next_end(self) -> int:
        """When the first session ends if nothing arrives."""
        return min((sessions.next_end for sessions in self.sessions), default=NEVER)

    def _concerned(self, arrivals: Arrivals) -> list[Counting | Filling]:
        """The windows that count arrivals of these predicates."""
        found: dict[Counting | Filling, None] = {}
        for signature in arrivals.batches:
            if signature not in self._counting_of:
                self._counting_of[signature] = [one for one in self._counting if can_pass(one.node, signature)]
            found.update(dict.fromkeys(self._counting_of[signature]))
        return list(found)
