"""The strata of a program, in the order of evaluation."""

from __future__ import annotations

from larspark.analysis.analysis import Analysis
from larspark.analysis.structure.occurrences import body_occurrences
from larspark.language.facts import Signature
from larspark.language.tree import Rule
from larspark.reasoners.answer_update.rules import CompiledStratum, compile_stratum


def strata(analysis: Analysis, background: frozenset[Signature]) -> tuple[CompiledStratum, ...]:
    """A stream stratification (IJCAI 2015, Def. 5), the finest one: components of the dependency graph in order.

    A constraint joins the highest stratum it reads without window or aggregate, so that it cuts the search there;
    otherwise it is a stratum of its own. `background` are the predicates with given facts.
    """
    numbers = {id(rule): number for number, rule in enumerate(analysis.program.rules)}
    level_of = {signature: level for level, part in enumerate(analysis.components) for signature in part.predicates}
    rules: list[list[Rule]] = [list(component.rules) for component in analysis.components]
    own: list[Rule] = []
    for constraint in analysis.constraints:
        reads = [(level_of[o.signature], o) for o in body_occurrences(constraint) if o.signature in level_of]
        highest = max((level for level, _ in reads), default=None)
        top = [found for level, found in reads if level == highest]
        if highest is None or any(found.windows or found.aggregated for found in top):
            own.append(constraint)
        else:
            rules[highest].append(constraint)
    components = [
        compile_stratum(component.predicates, ((numbers[id(rule)], rule) for rule in group), background)
        for component, group in zip(analysis.components, rules, strict=True)
    ]
    return (*components, *(compile_stratum((), [(numbers[id(rule)], rule)], background) for rule in own))
