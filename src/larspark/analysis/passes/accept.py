"""Which reasoners take the program, and why the others do not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import chain as chain_of
from types import MappingProxyType
from typing import TypeAlias

from larspark.analysis.analysis import Analysis, Fragment
from larspark.analysis.partitioning.splitting import layers
from larspark.analysis.passes.fragments import beyond_plain
from larspark.analysis.passes.stratify import strict_cycles
from larspark.analysis.structure.aggregate_levels import choices_below_failures
from larspark.analysis.structure.consistency import can_be_inconsistent
from larspark.analysis.structure.dependencies import Edge, Sign, show_cycle
from larspark.analysis.structure.graphs import components, graph_of, places_of
from larspark.analysis.structure.occurrences import body_occurrences, head_atoms
from larspark.analysis.structure.window_chains import can_be_followed, chain, simplified
from larspark.diagnostics import Diagnostic
from larspark.language.extended_atoms import ExtendedAtom, Quantifier
from larspark.language.printing.printer import show
from larspark.language.traversal import variables, walk
from larspark.language.tree import IntervalWindow, Node, Or, Program, RegisteredWindow, Window

Objection: TypeAlias = Callable[[Analysis], Iterator[Diagnostic]]


_ADVISED = re.compile(r"`--reasoner ([a-z-]+)`")
_PREFERRED = ("interval", "clingo", "answer-update", "reference")


def accept(analysis: Analysis) -> Analysis:
    """Ask every reasoner for its objections."""
    raised = {one: tuple(one(analysis)) for one in dict.fromkeys(chain_of(*OBJECTIONS.values()))}
    against = {
        name: tuple(reason for objection in objections for reason in raised[objection])
        for name, objections in OBJECTIONS.items()
    }
    accepts = {name: tuple(_advising(reason, against) for reason in reasons) for name, reasons in against.items()}
    return replace(analysis, accepts=accepts)


def _advising(reason: Diagnostic, against: Mapping[str, tuple[Diagnostic, ...]]) -> Diagnostic:
    """The reason with a hint that names a reasoner which takes the program, all its other parts included."""
    taker = next(name for name in _PREFERRED if not against[name])

    def better(advised: re.Match[str]) -> str:
        return f"`--reasoner {taker}`" if against[advised[1]] else advised[0]

    return replace(reason, hint=_ADVISED.sub(better, reason.hint))


def _not_plain(analysis: Analysis) -> Iterator[Diagnostic]:
    if analysis.fragment is Fragment.FULL:
        for formula in beyond_plain(analysis.program):
            yield _reason(
                "E511", "This is a full LARS formula, not an extended atom.", "Use `--reasoner reference`.", formula
            )


def _window_function(analysis: Analysis) -> Iterator[Diagnostic]:
    for node in walk(analysis.program):
        if isinstance(node, RegisteredWindow) and node.sees_everything:
            message = f"The window function {node.name} may look at all conclusions."
            yield _reason("E512", message, "Use `--reasoner reference`.", node)


def _registered_window(analysis: Analysis) -> Iterator[Diagnostic]:
    for node in walk(analysis.program):
        if isinstance(node, RegisteredWindow) and not node.sees_everything:
            message = f"The window function {node.name} is registered in this process, not in those of Spark."
            yield _reason("E512", message, "Use `--reasoner interval`.", node)


def _disjunction(analysis: Analysis) -> Iterator[Diagnostic]:
    for rule in analysis.program.rules:
        if isinstance(rule.head, Or):
            yield _reason("E513", "A disjunctive head asks for a choice.", "Use `--reasoner clingo`.", rule)


def _head_cycle(analysis: Analysis) -> Iterator[Diagnostic]:
    positive = [(edge.head, edge.body) for edge in analysis.dependencies.edges if edge.sign is Sign.POSITIVE]
    part_of = places_of(components(graph_of((), positive)))
    recursive = {head for head, body in positive if part_of[head] == part_of[body]}
    for rule in analysis.program.rules:
        heads = [atom.signature for atom in head_atoms(rule)]
        for number, head in enumerate(heads):
            if head in recursive and any(part_of.get(other) == part_of[head] for other in heads[:number]):
                yield _reason(
                    "E513",
                    f"Alternatives of this disjunction support each other: {head} is derived from another one.",
                    "Truth maintenance takes a disjunction as a choice by negation; use `--reasoner clingo`.",
                    rule,
                )
                break


def _choice_below_aggregate(analysis: Analysis) -> Iterator[Diagnostic]:
    for rule in dict.fromkeys(rule for _, rule in choices_below_failures(analysis)):
        yield _reason(
            "E515",
            "This rule may forbid what was chosen below an aggregate.",
            "Truth maintenance does not take back a choice after it was counted; use `--reasoner clingo`.",
            rule,
        )


def _variable_interval(analysis: Analysis) -> Iterator[Diagnostic]:
    """Elsewhere such an interval is a pair of comparisons with the time of the atom, or has an encoding of its own."""
    for found in (found for reader in analysis.program.readers for found in body_occurrences(reader)):
        if any(map(_is_variable, found.windows[:-1])):
            what = "Windows after an interval with variable bounds have no encoding."
        elif not any(map(_is_variable, found.windows)):
            continue
        elif found.quantifier is not Quantifier.ALWAYS and found.signature in analysis.background:
            what = "Background in an interval with variable bounds has no encoding."
        else:
            continue
        yield _reason("E519", what, "Use numbers and `now` as bounds, or `--reasoner reference`.", found)


def _is_variable(window: Window) -> bool:
    return isinstance(window, IntervalWindow) and any(variables(window))


def _windows_apart(analysis: Analysis) -> Iterator[Diagnostic]:
    if analysis.fragment is Fragment.FULL or not analysis.resolved:
        return
    for reader in analysis.program.readers:
        for found in body_occurrences(reader):
            signature = found.signature
            given = signature in analysis.background
            if found.windows and not can_be_followed(
                found.windows,
                # What is given and does not arrive is always there if it is there at some time.
                always=found.quantifier is Quantifier.ALWAYS and (not given or signature in analysis.extensional),
                timed=found.quantifier is Quantifier.AT,
                derived=signature in analysis.intensional,
                held=signature in analysis.held,
                recorded=signature in analysis.recorded,
                given=given,
                recursive=signature in analysis.depending_with(atom.signature for atom in head_atoms(reader)),
            ):
                yield _reason(
                    "E507",
                    f"The interval reasoner cannot follow the windows of `{show(found.formula)}`.",
                    "Put a hopping, tumbling or interval window last in the chain, or use `--reasoner clingo`.",
                    found,
                )


def _more_than_counted(analysis: Analysis) -> Iterator[Diagnostic]:
    """Where a window has lost the evaluation time, the next one selects all it is given, not arrivals alone."""
    more = analysis.intensional.union(analysis.held)
    for reader in analysis.program.readers:
        for found in body_occurrences(reader):
            concerned = found.counts_arrivals and found.signature in more
            if concerned and (not analysis.resolved or chain(simplified(found.windows)) is None):
                told = show(found.formula)
                message = f"`{told}` counts what is derived or held, where a window loses the evaluation time."
                yield _reason("E519", message, "Use `--reasoner answer-update`.", found)


def _in_partitions(analysis: Analysis) -> Iterator[Diagnostic]:
    """There the interval reasoner runs, and clingo what is decided together."""
    if analysis.fragment is Fragment.FULL or not analysis.ok:
        return
    rules = analysis.program.rules
    chosen = {id(rule) for part in layers(analysis).choices for rule in part.rules}
    if chosen and analysis.recorded and can_be_inconsistent(analysis):
        chosen = set(map(id, rules))
    for objections, decided in (((_windows_apart,), False), ((_variable_interval, _more_than_counted), True)):
        own = Program(tuple(rule for rule in rules if (id(rule) in chosen) is decided))
        for objection in objections:
            yield from objection(replace(analysis, program=own))


def _unstratified(analysis: Analysis) -> Iterator[Diagnostic]:
    for cycle in strict_cycles(analysis.program, analysis.dependencies):
        if cycle[0].sign is not Sign.AGGREGATE:
            yield _reason(
                "E514",
                f"Negation runs in a cycle: {show_cycle(cycle)}.",
                "Break the cycle, or use `--reasoner clingo`, which computes all answer streams.",
                cycle[0].rule,
            )


def _window_cycle(analysis: Analysis) -> Iterator[Diagnostic]:
    # Strata are made of predicates, also where the definition tells ground atoms of one predicate apart.
    cycle = None if analysis.fragment is Fragment.FULL else _cycle_through_window(analysis)  # others are refused anyway
    if cycle is not None:
        yield _reason(
            "E516",
            f"Recursion runs through a window: {show_cycle(cycle)}.",
            "Use `--reasoner interval`.",
            cycle[0].rule,
        )


def _cycle_through_window(analysis: Analysis) -> tuple[Edge, ...] | None:
    dependencies = analysis.dependencies
    return next((dependencies.cycle_through(edge) for edge in dependencies.in_cycles if edge.windowed), None)


def _preference(analysis: Analysis) -> Iterator[Diagnostic]:
    for preference in analysis.preferences:
        yield _reason("E517", "A preference compares answer streams.", "Use `--reasoner clingo`.", preference)


def _reason(code: str, message: str, hint: str, node: Node | ExtendedAtom) -> Diagnostic:
    return Diagnostic(code, message, hint, node.origin)


OBJECTIONS: Mapping[str, tuple[Objection, ...]] = MappingProxyType(
    {
        "reference": (),
        "interval": (_not_plain, _window_function, _windows_apart, _disjunction, _unstratified),
        "clingo": (_not_plain, _window_function, _variable_interval, _more_than_counted),
        "jtms": (
            _not_plain,
            _window_function,
            _variable_interval,
            _more_than_counted,
            _head_cycle,
            _choice_below_aggregate,
            _preference,
        ),
        "answer-update": (_not_plain, _window_function, _disjunction, _window_cycle, _preference),
        "spark": (_not_plain, _window_function, _registered_window, _in_partitions, _preference),
    }
)
"""What each reasoner cannot take; on Spark the interval reasoner runs, and clingo where something is chosen."""
