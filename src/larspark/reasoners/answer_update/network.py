"""The truth maintenance network of one stratum: consequences, support, what is affected (IJCAI 2015, section 4)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Set
from typing import NamedTuple

from larspark.language.extended_atoms import Quantifier
from larspark.reasoners.answer_update.labels import Status
from larspark.reasoners.answer_update.nodes import LabelledAtom, Node, PlainAtom, SeenAtom, extended
from larspark.reasoners.answer_update.validity import Validity, validity
from larspark.reasoners.pinned import Pinned

BRIDGE = -1
"""The rule number of `a ← @t a` and `@t a ← a`, which hold at evaluation time t by definition."""


class GroundInstance(NamedTuple):
    """A ground rule whose decided literals (windows, lower strata, comparisons) hold at the present evaluation.

    Literals that are decided and negated need no node: when one turns in, the instance leaves the network.
    """

    rule: int
    head: Node | None
    """None: a constraint."""
    positive: tuple[Node, ...] = ()
    negative: tuple[Node, ...] = ()
    seen: tuple[SeenAtom, ...] = ()
    """Positive literals decided below this stratum."""
    momentary: bool = False
    """Something in the body (negation, `now`, an aggregate) guarantees nothing beyond this evaluation."""


class LabelNetwork:
    """Ground rules and the status of what they derive; nodes without a status count as out."""

    def __init__(self, instances: Iterable[GroundInstance], status: Mapping[Node, Status]) -> None:
        self.instances = tuple(instances)
        self.status = status
        self._by_head: dict[Node, list[GroundInstance]] = defaultdict(list)
        self._by_body: dict[LabelledAtom, list[GroundInstance]] = defaultdict(list)
        for instance in self.instances:
            if instance.head is not None:
                self._by_head[instance.head].append(instance)
            for atom in body(instance):
                self._by_body[atom].append(instance)

    def rules_for(self, node: Node) -> list[GroundInstance]:
        return self._by_head.get(node, [])

    def validity(self, instance: GroundInstance) -> Validity:
        """What is decided below the stratum holds, or the instance would not be here."""
        return validity(map(self._status, instance.positive), map(self._status, instance.negative))

    # -- consequences ------------------------------------------------------------------------------

    def head_consequences(self, atom: LabelledAtom) -> set[LabelledAtom]:
        return {instance.head for instance in self._by_body.get(atom, ()) if instance.head is not None}

    def window_consequences(self, atom: LabelledAtom) -> set[LabelledAtom]:
        """Every window atom over the fact.

        The printed definition lists only `⊞ @t a` for `@t a`, by which new input would never reach ◇ and □.
        """
        if isinstance(atom, SeenAtom) and atom.view.windows:
            return set()
        time = atom.time if isinstance(atom, Pinned) else None
        return {
            other
            for other in self._by_body
            if isinstance(other, SeenAtom)
            and other.fact == atom.fact
            and (other.view.quantifier is not Quantifier.AT or time is None or other.time == time)
        }

    def at_consequences(self, atom: LabelledAtom) -> set[LabelledAtom]:
        return {PlainAtom(atom.fact)} if isinstance(atom, Pinned) else set()

    def consequences(self, atom: LabelledAtom) -> set[LabelledAtom]:
        return self.head_consequences(atom) | self.window_consequences(atom) | self.at_consequences(atom)

    def all_consequences(self, atoms: Iterable[LabelledAtom]) -> set[LabelledAtom]:
        return closure(atoms, self.consequences)

    # -- support -----------------------------------------------------------------------------------

    def positive_support(self, node: Node) -> set[LabelledAtom]:
        """The bodies of all founded valid rules of an atom that is in."""
        if self._status(node) is not Status.IN:
            return set()
        founding = (rule for rule in self.rules_for(node) if self.validity(rule) is Validity.FOUNDED_VALID)
        return {atom for instance in founding for atom in body(instance)}

    def negative_support(self, node: Node) -> set[LabelledAtom]:
        """For an atom that is out, one contradicted literal of each of its rules."""
        if self._status(node) is not Status.OUT:
            return set()
        return {atom for instance in self.rules_for(node) if (atom := self._contradicted(instance)) is not None}

    def at_support(self, node: Node) -> set[LabelledAtom]:
        """The `@t a` that are in, for an ordinary atom `a`."""
        if not isinstance(node, PlainAtom):
            return set()
        return {
            other
            for other, status in self.status.items()
            if isinstance(other, Pinned) and other.fact == node.fact and status is Status.IN
        }

    def affected(self, atom: LabelledAtom) -> set[LabelledAtom]:
        """The consequences whose support contains the atom; always the ordinary atom of an `@` atom."""
        heads = {
            head
            for head in self.head_consequences(atom)
            if not isinstance(head, SeenAtom)
            and (atom in self.positive_support(head) or atom in self.negative_support(head))
        }
        return heads | self.at_consequences(atom)

    def all_affected(self, atoms: Iterable[LabelledAtom]) -> set[LabelledAtom]:
        return closure(atoms, self.affected)

    # ----------------------------------------------------------------------------------------------

    def _status(self, node: Node) -> Status:
        return self.status.get(node, Status.OUT)

    def _contradicted(self, instance: GroundInstance) -> Node | None:
        for node in instance.positive:
            if self._status(node) is not Status.IN:
                return node
        for node in instance.negative:
            if self._status(node) is not Status.OUT:
                return node
        return None


def body(instance: GroundInstance) -> tuple[LabelledAtom, ...]:
    return (*instance.positive, *instance.negative, *map(extended, instance.seen))


def closure(atoms: Iterable[LabelledAtom], step: Callable[[LabelledAtom], Set[LabelledAtom]]) -> set[LabelledAtom]:
    """Everything reachable in one or more steps."""
    reached: set[LabelledAtom] = set()
    frontier = list(atoms)
    while frontier:
        new = step(frontier.pop()) - reached
        reached |= new
        frontier.extend(new)
    return reached
