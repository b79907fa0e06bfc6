"""Rules without a common key, cut in two: first the part that has one, then its conclusions with the rest.

    expected(V) :- tram(V, X) [5], line(V, L), not jam(L) [20].

Trams go by vehicle, jams by line, and background joins them. `tram` and `line` alone can be split by V; what follows
from them carries L, by which it meets `jam`. Evaluation is pointwise in time, so a conjunction may be cut anywhere.
Of a rule that takes part in a choice, only what no choice decides is cut off: the choice is to stay in one place.
"""

from __future__ import annotations

from dataclasses import replace

from larspark.analysis.analysis import Analysis, Fragment
from larspark.analysis.partitioning.cut_choices import cut_choice
from larspark.analysis.partitioning.cuts import cut
from larspark.analysis.partitioning.keys import Distribution
from larspark.analysis.partitioning.splitting import layers
from larspark.analysis.pipeline import analyse
from larspark.language.tree import Program, Rule

PART = "part:"
"""Starts the names of invented predicates; none can be written without quotes."""


def decompose(analysis: Analysis) -> Analysis:
    """The analysis of the program with such rules cut; the same when there are none. Formulas are lowered before."""
    analysis = analysis.lowered or analysis
    if analysis.fragment is Fragment.FULL or not analysis.ok:
        return analysis
    data = Distribution.of(analysis)
    names = {id(rule): f"{PART}{number}" for number, rule in enumerate(analysis.program.rules, 1)}
    choices: dict[int, list[Rule]] = {}
    for part in layers(analysis).choices:
        choices |= cut_choice(data, analysis.extensional, part, names)
    rules: list[Rule] = []
    for rule in analysis.program.rules:
        rules += choices[id(rule)] if id(rule) in choices else cut(data, rule, names[id(rule)])
    if len(rules) == len(analysis.program.rules):
        return analysis
    program = Program(tuple(rules), analysis.program.directives)
    again = analyse(program, background=analysis.background, allow_functions=analysis.allow_functions)
    return replace(again, shown=analysis.shown)
