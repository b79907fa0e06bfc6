"""Where predicates are defined and read, looked up once per rewrite so that large programs stay cheap."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from larspark.analysis.structure.occurrences import body_occurrences, head_atoms
from larspark.language.extended_atoms import ExtendedAtom
from larspark.language.facts import Signature
from larspark.language.tree import Program


@dataclass(frozen=True)
class Index:
    """Rules are known by their place in the program."""

    defining: Mapping[Signature, list[int]]
    reading: Mapping[Signature, list[tuple[int, ExtendedAtom]]]

    @classmethod
    def of(cls, program: Program) -> Index:
        defining: dict[Signature, list[int]] = defaultdict(list)
        reading: dict[Signature, list[tuple[int, ExtendedAtom]]] = defaultdict(list)
        for place, rule in enumerate(program.rules):
            for signature in dict.fromkeys(atom.signature for atom in head_atoms(rule)):
                defining[signature].append(place)
            for occurrence in body_occurrences(rule):
                reading[occurrence.atom.signature].append((place, occurrence))
        return cls(dict(defining), dict(reading))
