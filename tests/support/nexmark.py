"""Events of NEXMark that are few, and of which every query says something."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from larspark.bench.nexmark.catalogue import NexmarkQuery
from larspark.bench.nexmark.generator import FIRST_ID, GeneratedEvents, tables
from larspark.language.parser import parse_program
from larspark.language.traversal import atoms
from larspark.language.tree import Program, Show

FEW = GeneratedEvents(25, rate=50, begin=0, seed=19)
"""A person, three auctions and their bids: an auction is of the category of q3 and q20, and one ends in time for q6."""
SOME = GeneratedEvents(100, rate=10, begin=0, seed=5)
"""The same with two persons and six auctions."""
FIRST_AUCTION = 9 * 123
"""Only each 123rd auction is one for q2."""


def fit_for_all(stream: GeneratedEvents) -> dict[str, pa.Table]:
    """Its tables, whose auctions have other numbers."""
    made = tables(stream)
    for kind, name in (("bid", "auction"), ("auction", "id")):
        place = made[kind].schema.get_field_index(name)
        numbers = pc.add(made[kind][name], FIRST_AUCTION - FIRST_ID)
        made[kind] = made[kind].set_column(place, name, numbers)
    return made


def shown_alone(query: NexmarkQuery) -> Program:
    """The program of a query, which says what it shows, so that others may stand beside it."""
    program = parse_program(query.program.read_text("utf-8"))
    heads = {atom.signature for rule in program.rules for atom in atoms(rule.head)}
    (own,) = (one for one in heads if one.predicate == query.name)
    others = tuple(one for one in program.directives if not isinstance(one, Show))
    return replace(program, directives=(*others, Show((own,))))
