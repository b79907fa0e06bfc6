"""One stratum at one evaluation: the body of the loop of algorithm AnswerUpdate (IJCAI 2015, Algorithm 1)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from larspark.intervals.sets import FOREVER, IntervalSet, intersect, unite
from larspark.language.facts import Signature
from larspark.reasoners.answer_update.grounding import InstanceGrounding
from larspark.reasoners.answer_update.labels import Status, around
from larspark.reasoners.answer_update.network import GroundInstance, LabelNetwork
from larspark.reasoners.answer_update.nodes import LiteralView, Node, PlainAtom, SeenAtom
from larspark.reasoners.answer_update.rules import CompiledStratum
from larspark.reasoners.answer_update.search import LabelSearch
from larspark.reasoners.answer_update.views import Derived, ViewRows
from larspark.reasoners.answer_update.world import ChoiceWorld


@dataclass(frozen=True)
class Trace:
    """What an update of a stratum did, in the words of the paper."""

    fired: frozenset[SeenAtom] = frozenset()
    expired: frozenset[SeenAtom] = frozenset()
    unknown: frozenset[Node] = frozenset()
    """Relabelled, because their support changed."""
    choices: tuple[GroundInstance, ...] = ()
    """The unfounded valid rules among which the first choice was made."""


@dataclass(frozen=True)
class StratumState:
    """The labels of a stratum at an evaluation, with the ground rules they rest on."""

    instances: tuple[GroundInstance, ...] = ()
    status: Mapping[Node, Status] = field(default_factory=dict)
    intervals: Mapping[Node, IntervalSet] = field(default_factory=dict)
    """Of the nodes that are in."""
    reads: Mapping[LiteralView, ViewRows] = field(default_factory=dict)
    time: int = -1
    trace: Trace = Trace()

    def conclusions(self, predicates: Iterable[Signature]) -> dict[Signature, Derived]:
        """What the next strata get to see."""
        found = {signature: Derived() for signature in predicates}
        for node, intervals in self.intervals.items():
            derived = found[node.fact.signature]
            if isinstance(node, PlainAtom):
                derived.now[node.fact] = intervals
            else:
                derived.pinned[node] = intervals
        return found


def updates(stratum: CompiledStratum, world: ChoiceWorld, previous: StratumState) -> Iterator[StratumState]:
    """All labelings of the stratum in this world, the one closest to the previous labels first.

    The first attempt relabels only what the changes affect. It is an answer whenever it succeeds, because everything
    kept rests on support that did not change; but it may fail where a different choice elsewhere would help, so the
    whole stratum is searched after it.
    """
    ground = _ground(stratum, world, previous)
    instances = ground.instances
    nodes = list(dict.fromkeys(node for instance in instances for node in _mentioned(instance)))
    kept = _kept(instances, nodes, previous)
    affected = [node for node in nodes if node not in kept]
    fired, expired = _changes(previous.reads, ground.reads)
    first: dict[Node, Status] | None = None
    if kept:
        search = LabelSearch(instances, affected, kept, previous.status)
        first = next(({**kept, **labels} for labels in search.solutions()), None)
        if first is not None:
            trace = Trace(fired, expired, frozenset(affected), search.choices)
            yield _labelled(ground, first, world.time, previous, trace)
    search = LabelSearch(instances, nodes, {}, previous.status)
    for labels in search.solutions():
        if labels != first:
            trace = Trace(fired, expired, frozenset(nodes), search.choices)
            yield _labelled(ground, labels, world.time, previous, trace)


class Ground(NamedTuple):
    """The ground rules of a stratum and what they were read from."""

    instances: tuple[GroundInstance, ...]
    reads: Mapping[LiteralView, ViewRows]


def _ground(stratum: CompiledStratum, world: ChoiceWorld, previous: StratumState) -> Ground:
    """The ground rules: those of before while all that was read shows the same atoms."""
    if previous.time == world.time or (previous.time >= 0 and not stratum.follows_time):
        reads = {view: world.rows(view) for view in previous.reads}
        if all(rows.same_atoms(reads[view]) for view, rows in previous.reads.items()):
            return Ground(previous.instances, reads)
    grounding = InstanceGrounding(stratum, world)
    return Ground(grounding.instances(), grounding.reads)


def _mentioned(instance: GroundInstance) -> Iterator[Node]:
    if instance.head is not None:
        yield instance.head
    yield from instance.positive
    yield from instance.negative


def _kept(instances: tuple[GroundInstance, ...], nodes: list[Node], previous: StratumState) -> dict[Node, Status]:
    """SetUnknown: everything keeps its label except what new and vanished rules affect."""
    if previous.time < 0:
        return {}
    if instances == previous.instances:
        return dict(previous.status)
    old, new = set(previous.instances), set(instances)
    status = previous.status
    changed: set[Node] = {instance.head for instance in new - old if instance.head is not None}
    changed = {node for node in changed if status.get(node) is not Status.IN}
    changed |= {
        instance.head for instance in old - new if instance.head is not None and status.get(instance.head) is Status.IN
    }
    common = LabelNetwork((instance for instance in instances if instance in old), status)
    affected = changed | common.all_affected(changed)
    return {node: status[node] for node in nodes if node in status and node not in affected}


def _changes(
    before: Mapping[LiteralView, ViewRows], after: Mapping[LiteralView, ViewRows]
) -> tuple[frozenset[SeenAtom], frozenset[SeenAtom]]:
    """Fired and Expired: what came into the views of the stratum, and what left them."""
    fired, expired = set[SeenAtom](), set[SeenAtom]()
    for view in before.keys() | after.keys():
        old = before[view].labels.keys() if view in before else set()
        new = after[view].labels.keys() if view in after else set()
        fired |= new - old
        expired |= old - new
    return frozenset(fired), frozenset(expired)


def _labelled(
    ground: Ground, status: dict[Node, Status], time: int, previous: StratumState, trace: Trace
) -> StratumState:
    """UpdateTimestamps: how long what is in will stay so, whatever arrives; joined to how long it has been."""
    ahead = _guaranteed(ground, status, time)
    intervals = {
        node: around(unite(_so_far(previous, node, time), ahead[node]), time)
        for node, label in status.items()
        if label is Status.IN
    }
    return StratumState(ground.instances, status, intervals, ground.reads, time, trace)


def _so_far(previous: StratumState, node: Node, time: int) -> IntervalSet:
    """The part of the previous label that lies in the past; the future part has just been computed anew."""
    return intersect(previous.intervals.get(node, ()), ((0, time - 1),)) if time else ()


def _guaranteed(ground: Ground, status: Mapping[Node, Status], time: int) -> dict[Node, IntervalSet]:
    """Per node that is in: the union over its firing rules of the intersection of their bodies."""
    firing = [instance for instance in ground.instances if instance.head is not None and _fires(instance, status)]
    readers: dict[Node, list[GroundInstance]] = defaultdict(list)
    for instance in firing:
        for node in instance.positive:
            readers[node].append(instance)
    found: dict[Node, IntervalSet] = {}
    pending = [instance for instance in firing if not instance.positive]
    while pending:
        instance = pending.pop()
        head = instance.head
        if head is None or not all(node in found for node in instance.positive):
            continue
        span: IntervalSet = ((time, time),) if instance.momentary else ((0, FOREVER),)
        for seen in instance.seen:
            span = intersect(span, ground.reads[seen.view].label(seen) or ())
        for node in instance.positive:
            span = intersect(span, found[node])
        known = found.get(head, ())
        union = unite(known, span)
        if union != known:
            found[head] = union
            pending.extend(readers[head])
    return found


def _fires(instance: GroundInstance, status: Mapping[Node, Status]) -> bool:
    return all(status[node] is Status.IN for node in instance.positive) and all(
        status[node] is Status.OUT for node in instance.negative
    )
