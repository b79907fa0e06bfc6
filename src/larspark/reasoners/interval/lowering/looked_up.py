"""Windows that are no intersection: over input they can be looked up at every time point."""

from __future__ import annotations

from larspark.analysis.structure.window_chains import Chain, CountedWindow, chain
from larspark.diagnostics import Rejected
from larspark.language.extended_atoms import ExtendedAtom, Quantifier
from larspark.language.tree import TupleWindow, points
from larspark.reasoners.interval.lowering.given_facts import GivenFacts
from larspark.reasoners.interval.lowering.readings import require_clock, told, unusual
from larspark.reasoners.interval.lowering.shared_relations import SharedRelations
from larspark.reasoners.interval.network import Body, Filled, Kind, Match, Operand, Relation, Selected


def looked_up(shared: SharedRelations, given: GivenFacts, reading: ExtendedAtom) -> Relation:
    network = shared.network
    signature, timed = reading.signature, reading.quantifier is Quantifier.AT
    derived = signature in network.now or signature in network.pinned
    lasting = network.lasting.get(signature)
    # What has not arrived is not counted, unless a window before has lost the evaluation time.
    selected = chain(reading.windows)
    counts = reading.counts_arrivals
    if (lasting and not (lasting.lag and selected)) or (derived and not (counts and selected)):
        raise Rejected([unusual(reading)])
    require_clock(reading)
    target = network.relation(told(reading), signature.arity + timed, Kind.VIEW)
    always = reading.quantifier is Quantifier.ALWAYS
    match selected:
        case Chain((), (CountedWindow(TupleWindow(past, 0, False), before) as size,), filters, ()) if (
            always and filters == before
        ):
            network.operators.append(Filled(signature, target, points(past), shared.conditions.sieve(size)))
        case _:
            network.operators.append(Selected(signature, target, reading.windows, always, timed))
    background = network.background.get(signature)
    if background is None or given.endless(reading):
        return target
    columns: tuple[Operand, ...] = tuple(f"A{place}" for place in range(signature.arity + timed))
    point = Match(shared.points(reading), (columns[-1] if timed else None,))
    bodies: list[Body] = [(Match(target, columns),), (Match(background, columns[: signature.arity]), point)]
    return shared.defined(told(reading), columns, bodies)
