"""Whether arrivals that are added give an atom by one rule, told without evaluating the others.

Where more arrivals can only give more atoms, the conclusions that there were stay: an instance of a rule whose body
holds over them and what is added gives the atom. If there is none, that says nothing, for it may take several rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from larspark.explain.evaluations.relevance import Relevance
from larspark.explain.evaluations.world import World
from larspark.explain.proofs.instances import instances
from larspark.explain.proofs.proof import Question
from larspark.semantics.interpretations import TimedFact, by_time
from larspark.semantics.streams import merged
from larspark.semantics.structures import Place


def gives_at_once(
    world: World, relevance: Relevance, question: Question, added: Iterable[TimedFact], later: int = 0
) -> bool:
    """Whether the atom holds so many evaluations later, when this is added; False: that is not known."""
    if not relevance.monotone:
        return False
    arriving, time = tuple(added), world.time + later
    more, stream = by_time(arriving), world.place.stream
    derived = {} if later else stream.derived  # what is concluded then is not known
    arrived = merged(stream.arrived, more)
    stream = replace(stream, derived=derived, arrived=arrived, content=merged(arrived, derived))
    place = Place(replace(world.place.m, stream=stream, now=time), stream, time)
    index = world.index.extended(fact for _, fact in arriving)
    target = (time if question.at is None else question.at, question.fact)
    rules = world.rules_for(question.fact.signature)
    return any(True for rule in rules for _ in instances(place, index, rule, target))
