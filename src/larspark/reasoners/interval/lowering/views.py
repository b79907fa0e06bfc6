"""A predicate read through windows: one relation per reading, shared by all rules that read alike."""

from __future__ import annotations

from larspark.analysis.analysis import Retention
from larspark.analysis.structure.window_chains import Chain
from larspark.language.extended_atoms import ExtendedAtom, Quantifier
from larspark.language.facts import Signature
from larspark.reasoners.interval.lowering.always import AlwaysLowering
from larspark.reasoners.interval.lowering.given_facts import GivenFacts
from larspark.reasoners.interval.lowering.looked_up import looked_up
from larspark.reasoners.interval.lowering.readings import chain_of, told
from larspark.reasoners.interval.lowering.shared_relations import SharedRelations
from larspark.reasoners.interval.lowering.sources import Sources
from larspark.reasoners.interval.lowering.window_conditions import WindowConditions
from larspark.reasoners.interval.network import (
    Absence,
    Aggregated,
    Body,
    Clip,
    CoreRule,
    Match,
    Network,
    Operand,
    Relation,
)
from larspark.reasoners.interval.state.dictionary import Dictionary


class Views:
    """Makes the relations of a network on demand."""

    def __init__(self, network: Network, dictionary: Dictionary, revocable: frozenset[Signature]) -> None:
        self.revocable = revocable
        self.shared = SharedRelations(network, WindowConditions(dictionary, network.start))
        self.given = GivenFacts(self.shared)
        self._network = network
        self._sources = Sources(self.shared, self.given, revocable)
        self._always = AlwaysLowering(self.shared, self.given, self.relation)
        self._made: dict[object, Relation] = {}
        self.aggregates: dict[object, tuple[Aggregated, Body]] = {}
        """By parts of elements and groups, with the groups asked for: functions of them are found together."""
        self.lists: dict[object, Relation] = {}
        """By elements, groups and order: their first tuples."""
        self.demands: dict[object, Relation] = {}
        """By the literals that give the values."""

    def relation(self, reading: ExtendedAtom) -> Relation:
        """The relation of a reading, for all arguments: these, and the time of an `@`."""
        key = reading.quantifier, reading.signature, reading.windows
        if key not in self._made:
            always = reading.quantifier is Quantifier.ALWAYS
            self._made[key] = self._always.relation(reading) if always else self._view(reading)
        return self._made[key]

    def definitions(self, reading: ExtendedAtom, columns: tuple[Operand, ...]) -> list[Body] | None:
        """The bodies whose union is the reading, when they can stand in place of a literal; else None."""
        selected = chain_of(reading)
        if (
            reading.quantifier is Quantifier.ALWAYS
            or reading.signature in self.revocable
            or selected is None
            or selected.sizes
        ):
            return None
        return self._sources.bodies(reading, selected, columns)

    def _view(self, reading: ExtendedAtom) -> Relation:
        columns: tuple[Operand, ...] = tuple(f"A{place}" for place in range(reading.signature.arity))
        if reading.quantifier is Quantifier.AT:
            columns = (*columns, "T")
        selected = chain_of(reading)
        if selected is None:
            return looked_up(self.shared, self.given, reading)
        bodies = self._sources.bodies(reading, selected, columns)
        match bodies:
            case [(Match(relation, same),)] if same == columns and relation.stored:
                return relation
        return self.shared.defined(told(reading), columns, bodies)

    def show_data(self, signature: Signature) -> None:
        """A derived predicate that is also input, or recorded: what is in the data now is shown, too."""
        arguments = tuple(f"A{place}" for place in range(signature.arity))
        bodies = self._sources.pinned(signature, Chain(times=((0, 0, 1),)), arguments, "$time")
        arrivals = (body for body in bodies if self._network.pinned.get(signature) not in _relations(body))
        shown = self._network.declare_now(signature)
        self._network.rules += [CoreRule(shown, arguments, body) for body in arrivals]
        repeated = self._network.repeated.get(signature)
        if repeated:
            self._network.rules.append(CoreRule(shown, arguments, (Match(repeated.again, arguments),)))

    def list_pins(self, signature: Signature, retention: Retention) -> Relation:
        """What is pinned to a time at which it is not in the data; the retention says how long a pin can stand."""
        network, shared = self._network, self.shared
        columns = (*(f"A{place}" for place in range(signature.arity)), "T")
        chain = Chain(times=((retention.past, 0, 1),))
        known: list[Relation] = []
        if signature in network.inputs:
            known.append(shared.arrived(signature, chain))
        if signature in network.noted:
            notes: Body = (Match(network.noted[signature].recorded, columns), Clip("T", None, 0))
            known.append(shared.defined(f"noted {signature}", columns, [notes]))
        if signature in network.lasting:
            known.append(shared.pointed(network.lasting[signature], chain))
        body: Body = (Match(network.pinned[signature], columns), *(Absence(one, columns) for one in known))
        return shared.defined(f"listed {signature}", columns, [body])


def _relations(body: Body) -> set[Relation]:
    return {literal.relation for literal in body if isinstance(literal, Match)}
