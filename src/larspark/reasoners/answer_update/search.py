"""Find and choose: the labels of the unknown atoms of a stratum.

`SetRule` of the paper is the propagation below, `MakeAssignment` the choice. Where the paper stops with *fail* the
search goes back to the last choice, so that it finds every answer and ends only when there is none. Before each choice
the greatest unfounded set is labelled out: positive loops cannot hold themselves up, and programs without a cycle
through negation are decided without any choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from larspark.reasoners.answer_update.labels import Status
from larspark.reasoners.answer_update.network import GroundInstance
from larspark.reasoners.answer_update.nodes import Node
from larspark.reasoners.answer_update.validity import Validity, validity


class Conflict(Exception):
    """An atom is needed both in and out, or a constraint is violated."""


class LabelSearch:
    """All labelings of `unknown` that, with the given labels of the others, make an answer of the instances."""

    def __init__(
        self,
        instances: Sequence[GroundInstance],
        unknown: Sequence[Node],
        given: Mapping[Node, Status],
        preferred: Mapping[Node, Status],
    ) -> None:
        self._instances = instances
        self._unknown = unknown
        self._given = given
        self._preferred = preferred
        """The labels of the previous answer: tried first, so that it is kept as far as possible."""
        self._positive: dict[Node, list[int]] = {node: [] for node in unknown}
        self._negative: dict[Node, list[int]] = {node: [] for node in unknown}
        for number, instance in enumerate(instances):
            for node in instance.positive:
                if node in self._positive:
                    self._positive[node].append(number)
            for node in instance.negative:
                if node in self._negative:
                    self._negative[node].append(number)
        self._loops = any(self._positive.values())
        self.choices: tuple[GroundInstance, ...] = ()
        """The unfounded valid rules among which the first choice was made."""

    def solutions(self) -> Iterator[dict[Node, Status]]:
        """The labels of the unknown atoms, the preferred ones first."""
        labeling = _Labeling(self)
        try:
            labeling.start()
            labeling.settle()
        except Conflict:
            return
        pending = [labeling]
        while pending:
            labeling = pending.pop()
            choice = labeling.choice()
            if choice is None:
                yield dict(labeling.status)
                continue
            first = self._preferred.get(choice, Status.OUT)
            second = Status.IN if first is Status.OUT else Status.OUT
            for status in (second, first):  # the stack turns the order round
                branch = labeling.copy()
                try:
                    branch.assign(choice, status)
                    branch.settle()
                except Conflict:
                    continue
                pending.append(branch)


class _Labeling:
    """A partial labeling with counters per instance, propagated as it grows."""

    def __init__(self, search: LabelSearch) -> None:
        self.search = search
        self.status: dict[Node, Status] = {}
        self.open: list[int] = []
        """Per instance, how many body literals are still unknown; -1 once the body is contradicted."""
        self.chances: dict[Node, int] = {}
        """Per unknown node, how many of its rules are not contradicted."""
        self.queue: list[tuple[Node, Status]] = []

    def copy(self) -> _Labeling:
        other = _Labeling(self.search)
        other.status, other.open, other.chances = dict(self.status), list(self.open), dict(self.chances)
        return other

    def start(self) -> None:
        """Count what is open under the given labels, and settle what is decided by them alone."""
        search = self.search
        self.chances = dict.fromkeys(search._unknown, 0)
        for instance in search._instances:
            unsettled = 0
            for node, wanted in _wanted(instance):
                if node in self.chances:
                    unsettled += 1
                elif search._given.get(node, Status.OUT) is not wanted:
                    unsettled = -1
                    break
            self.open.append(unsettled)
            if unsettled >= 0 and instance.head in self.chances:
                self.chances[instance.head] += 1
        for number, instance in enumerate(search._instances):
            if self.open[number] == 0:
                self._require(instance.head)
        for node, chances in self.chances.items():
            if chances == 0:
                self.assign(node, Status.OUT)

    def assign(self, node: Node, status: Status) -> None:
        known = self.status.get(node)
        if known is None:
            self.status[node] = status
            self.queue.append((node, status))
        elif known is not status:
            raise Conflict

    def settle(self) -> None:
        """Everything that follows."""
        while True:
            self._propagate()
            if not self.search._loops or not self._unfounded_out():
                return

    def choice(self) -> Node | None:
        """An unknown atom in the negative body of an unfounded valid rule; None when all labels are known."""
        if len(self.status) == len(self.chances):
            return None
        choices = tuple(instance for instance in self.search._instances if self._is_choice(instance))
        self.search.choices = self.search.choices or choices
        # Settling labelled the unfounded atoms out, so an unknown atom depends on such a rule.
        return next(node for instance in choices for node in instance.negative if self._label(node) is Status.UNKNOWN)

    def _is_choice(self, instance: GroundInstance) -> bool:
        positive, negative = map(self._label, instance.positive), map(self._label, instance.negative)
        return validity(positive, negative) is Validity.UNFOUNDED_VALID

    def _label(self, node: Node) -> Status:
        if node in self.chances:
            return self.status.get(node, Status.UNKNOWN)
        return self.search._given.get(node, Status.OUT)

    def _propagate(self) -> None:
        while self.queue:
            node, status = self.queue.pop()
            positive, negative = self.search._positive[node], self.search._negative[node]
            satisfied, contradicted = (positive, negative) if status is Status.IN else (negative, positive)
            for number in contradicted:
                self._contradict(number)
            for number in satisfied:
                if self.open[number] > 0:
                    self.open[number] -= 1
                    if self.open[number] == 0:
                        self._require(self.search._instances[number].head)

    def _require(self, head: Node | None) -> None:
        """The body of a rule holds."""
        if head is None:
            raise Conflict
        if head in self.chances:
            self.assign(head, Status.IN)

    def _contradict(self, number: int) -> None:
        if self.open[number] < 0:
            return
        self.open[number] = -1
        head = self.search._instances[number].head
        if head is not None and head in self.chances:
            self.chances[head] -= 1
            if self.chances[head] == 0:
                self.assign(head, Status.OUT)

    def _unfounded_out(self) -> bool:
        """Label out what cannot be derived even if every open negation were granted; True if there was any."""
        search = self.search
        missing = [0] * len(search._instances)
        founded: set[Node] = set()
        frontier: list[Node] = []

        def found(node: Node | None) -> None:
            if node is not None and node in self.chances and node not in founded:
                founded.add(node)
                frontier.append(node)

        for number, instance in enumerate(search._instances):
            missing[number] = sum(node in self.chances for node in instance.positive)
            if missing[number] == 0 and self.open[number] >= 0:
                found(instance.head)
        while frontier:
            for number in search._positive[frontier.pop()]:
                missing[number] -= 1
                if missing[number] == 0 and self.open[number] >= 0:
                    found(search._instances[number].head)
        unfounded = [node for node in self.chances if node not in founded and self.status.get(node) is not Status.OUT]
        for node in unfounded:
            self.assign(node, Status.OUT)
        return bool(unfounded)


def _wanted(instance: GroundInstance) -> Iterator[tuple[Node, Status]]:
    for node in instance.positive:
        yield node, Status.IN
    for node in instance.negative:
        yield node, Status.OUT
