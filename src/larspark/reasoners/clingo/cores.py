"""Which constraints cannot be satisfied together: each has a switch, and clingo tells which switches clash."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from larspark.analysis.pipeline import analyse
from larspark.language.calendar import Calendar
from larspark.language.facts import Fact
from larspark.language.traversal import atoms, constants
from larspark.language.tree import Atom, Constant, Not, Program, Rule
from larspark.language.values import Value
from larspark.reasoners.clingo.adapter import GroundAtom, ParsedProgram, Solver
from larspark.reasoners.clingo.encoding import encoded_at
from larspark.reasoners.clingo.functions import added_up, decimal_places, function_table


def minimal_core(
    program: Program,
    constraints: Sequence[Rule],
    data: tuple[Iterable[Fact], Sequence[tuple[int, Fact]]],
    start: int,
    now: int,
    functions: Mapping[str, Callable[..., Value]],
    calendar: Calendar | None,
) -> list[Rule] | None:
    """Constraints that clash, none of which can be spared; None when clingo does not take the program.

    `data` are the facts that always hold, and the arrivals.
    """
    background, arrivals = tuple(data[0]), [arrival for arrival in data[1] if arrival[0] <= now]
    on, off = _fresh(program, "switch_on"), _fresh(program, "switch_off")
    analysis = analyse(
        _switched(program, constraints, on, off),
        background={fact.signature for fact in background},
        allow_functions=bool(functions),
    )
    if "clingo" not in analysis.reasoners or analysis.recorded:
        return None
    text = encoded_at(analysis, background, arrivals, start, now)
    values = [constant.value for constant in constants(program)]
    values += (value for fact in (*background, *(fact for _, fact in arrivals)) for value in fact.args)
    table = function_table(now, decimal_places(values), functions, calendar, added_up(program))
    solver = Solver(ParsedProgram(text), table, now)
    switches = [GroundAtom(on, (number, now)) for number in range(len(constraints))]
    found = solver.clashing(switches)
    if found is None:
        return []
    for switch in list(found):  # clingo's core need not be minimal
        smaller = solver.clashing([one for one in found if one != switch])
        if smaller is not None:
            found = smaller
    chosen = {switch.args[0] for switch in found}
    return [rule for number, rule in enumerate(constraints) if number in chosen]


def _switched(program: Program, constraints: Sequence[Rule], on: str, off: str) -> Program:
    """The constraints hold where their switches are on, which is left open."""
    rules: list[Rule] = []
    for rule in program.rules:
        number = next((place for place, one in enumerate(constraints) if one is rule), None)
        rules.append(rule if number is None else replace(rule, body=(*rule.body, _atom(on, number))))
    for number in range(len(constraints)):
        for head, other in ((on, off), (off, on)):
            rules.append(Rule(_atom(head, number), (Not(_atom(other, number)),)))
    return replace(program, rules=tuple(rules))


def _atom(name: str, number: int) -> Atom:
    return Atom(name, (Constant(number),))


def _fresh(program: Program, name: str) -> str:
    used = {atom.predicate for atom in atoms(program)}
    while name in used:
        name += "_"
    return name
