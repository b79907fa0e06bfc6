"""What Ticker would say: its restrictions are not ours, but programs move in both directions (thesis sec. 7.1.1).

Listed is what its incremental reasoner refuses or gets wrong. Restrictions that are ours as well (head variables, safe
negation, tuple windows over conclusions, the clock) are ordinary findings of the analysis.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from larspark.analysis.analysis import Analysis
from larspark.analysis.passes.check_safety import bound_variables
from larspark.analysis.structure.dependencies import show_cycle
from larspark.analysis.structure.occurrences import body_occurrences, head_atoms
from larspark.analysis.structure.odd_loops import odd_loops
from larspark.diagnostics import Diagnostic, Origin, Severity
from larspark.language.extended_atoms import ExtendedAtom, Quantifier, extended_atom
from larspark.language.facts import Signature
from larspark.language.printing.printer import show
from larspark.language.shorthands.ranges import is_range
from larspark.language.traversal import atoms, children, variables, walk
from larspark.language.tree import (
    UNBOUNDED,
    Aggregate,
    At,
    Atom,
    Background,
    Call,
    Clock,
    Comparison,
    Directive,
    Duration,
    Formula,
    Input,
    Node,
    Not,
    Now,
    Operation,
    Program,
    Rule,
    Show,
    TimeWindow,
    Truth,
    TupleWindow,
    Variable,
    Window,
    Windowed,
)

_OURS = "larspark takes it as it is."
_UNITS = ("ms", "s", "min", "h")


@dataclass(frozen=True, slots=True)
class TickerPredicates:
    """Ticker's implicit classes of predicates."""

    intensional: frozenset[Signature]
    signals: frozenset[Signature]
    background: frozenset[Signature]


def ticker_predicates(program: Program) -> TickerPredicates:
    """Heads are intensional, what else stands under a window or `@` are signals, the rest is background."""
    heads = {atom.signature for rule in program.rules for atom in head_atoms(rule)}
    read = {found.atom.signature for rule in program.rules for found in body_occurrences(rule)}
    temporal = {
        atom.signature
        for rule in program.rules
        for literal in rule.body
        for part in walk(literal)
        if isinstance(part, Windowed | At)
        for atom in atoms(part)
    }
    return TickerPredicates(frozenset(heads), frozenset(temporal - heads), frozenset(read - temporal - heads))


def ticker_objections(program: Program, analysis: Analysis) -> Iterator[Diagnostic]:
    """Why Ticker's incremental reasoner would refuse a program that is right for larspark, or answer it wrongly.

    The program is the one that was analysed, as it is written: with its durations and directives.
    """
    found = dict.fromkeys(_objections(program, analysis))  # a rule with ranges or pools is there several times
    refused = {one.origin for one in analysis.diagnostics if one.severity is Severity.ERROR}
    for note in found:
        yield replace(note, hint="") if note.hint == _OURS and note.origin in refused else note


def _objections(program: Program, analysis: Analysis) -> Iterator[Diagnostic]:
    yield from _directives(program)
    yield from _units(program)
    yield from _shorthands(program)
    classes = ticker_predicates(analysis.program)
    for rule in analysis.program.rules:
        found = [*_form(rule), *_several_times(rule), *_unguarded(rule, classes), *_times_computed(rule)]
        yield from (replace(finding, origin=finding.origin or rule.origin) for finding in found)
    yield from _signals_and_background(analysis, classes)
    yield from _loops(analysis)


# -- the form of programs (Def. 38 and 39, Table 7.1) -----------------------------------------------------


def _directives(program: Program) -> Iterator[Diagnostic]:
    for directive in program.directives:
        yield _note("E523", "A Ticker program has rules only, no directives.", directive, _instead(directive))


def _instead(directive: Directive) -> str:
    match directive:
        case Clock():
            return "Ticker is given its clock on the command line, `-c 1s`."
        case Show():
            return "Ticker is given its filter on the command line, `-f p,q`."
        case Input():
            return "Leave it out: in Ticker what stands under windows and is no head arrives."
        case Background():
            return "Write the data as facts."
    return _OURS


def _units(program: Program) -> Iterator[Diagnostic]:
    for node in walk(program):
        match node:
            case Duration(_, unit) if unit not in _UNITS:
                yield _note("E524", f"Ticker does not know the unit `{unit}`.", node, "Write it in hours, `[24 h]`.")
            case TimeWindow(int(), 0):
                yield _note("E524", "In Ticker the size of a time window has a unit.", node, "Write `[5 s]`.")


def _shorthands(program: Program) -> Iterator[Diagnostic]:
    """What stands for several rules: they are one in the text, so they have its origin."""
    statements: dict[Origin | None, list[Rule]] = {}
    for rule in program.rules:
        statements.setdefault(rule.origin, []).append(rule)
        for part in walk(rule):
            if is_range(part):
                hint = "Write one rule for each value."
                yield _note("E523", "Ticker has no ranges such as `1..3`.", part, hint)
    for origin, rules in statements.items():
        if origin is not None:
            yield from _several_heads(rules)
            yield from _pools(rules)


def _several_heads(rules: Sequence[Rule]) -> Iterator[Diagnostic]:
    """A choice has several heads as well, but these are disjunctions and told as such."""
    same = (rule.head for rule in rules if isinstance(rule.head, Atom | At) and rule.body == rules[0].body)
    heads = {head.origin: head for head in same}
    for head in list(heads.values())[1:]:
        yield _note("E523", "A Ticker rule has one head atom.", head, "Write one rule for each head.")


def _pools(rules: Sequence[Rule]) -> Iterator[Diagnostic]:
    """Rules of one text and one head that differ in the arguments of an atom."""
    first: dict[Origin | None, Rule] = {}
    for rule in rules:
        where = _differing_arguments(first.setdefault(rule.head.origin, rule), rule)
        if where is not None:
            yield _note("E523", "Ticker has no pools such as `p(1;2)`.", where, "Write one rule for each value.")


def _differing_arguments(one: Node, other: Node) -> Atom | Call | None:
    """The innermost atom or call in which two rules differ first; None where more than arguments differs."""
    here = one if isinstance(one, Atom | Call) else None
    if len(children(one)) != len(children(other)):  # `since` stands for several rules, too
        return here
    for part, instead in zip(children(one), children(other), strict=True):
        if part != instead:
            return _differing_arguments(part, instead) or here
    return None


def _form(rule: Rule) -> Iterator[Diagnostic]:
    match rule.head:
        case Truth():
            hint = "Write `x :- body, not x.` with a new atom x, for its reasoner clingo."
            yield _note("E523", "Ticker has no constraints.", rule, hint)
        case Atom() | At(_, Atom()):
            pass
        case head:
            yield _note("E523", "In Ticker a head is one atom, perhaps behind `@T`.", head)
    for literal in rule.body:
        yield from _literal(literal.body if isinstance(literal, Not) else literal)
    for part in walk(rule):
        if isinstance(part, Call):
            yield _note("E523", f"Ticker has no function `{part.function}`.", part)


def _literal(formula: Formula) -> Iterator[Diagnostic]:
    """Extended atoms and relations are Ticker's; a window is a sliding one over time, or the last atoms."""
    match extended_atom(formula) or formula:
        case ExtendedAtom(windows=()) | Comparison():
            pass
        case ExtendedAtom(windows=(window,)):
            if not _is_ticker_window(window):
                message = "Ticker has only windows `[n u]` back in time and `[n #]`."
                yield _note("E524", message, window if window.origin else formula)
        case Aggregate():
            yield _note("E523", "Ticker has no aggregates.", formula)
        case _:
            yield _note("E523", "Ticker takes extended atoms only: `a`, `@T a`, `a [w]`, `always a [w]`.", formula)


def _is_ticker_window(window: Window) -> bool:
    match window:
        case TimeWindow(past, 0, 1) | TupleWindow(past, 0, False):
            return past is not UNBOUNDED  # a size that could not be resolved has an error of its own
    return False


# -- variables ----------------------------------------------------------------------------------------------


def _time_variables(rule: Rule) -> dict[str, Variable]:
    found: dict[str, Variable] = {}
    for part in walk(rule):
        if isinstance(part, At):
            for variable in variables(part.time):
                found.setdefault(variable.name, variable)
    return found


def _several_times(rule: Rule) -> Iterator[Diagnostic]:
    for variable in list(_time_variables(rule).values())[1:]:
        message = f"Ticker allows one time variable per rule, and {_name(variable)} is another."
        yield _note("E521", message, variable)


def _unguarded(rule: Rule, classes: TickerPredicates) -> Iterator[Diagnostic]:
    """Guards are atoms outside windows, `@` and negation, and no signals; what is computed from guarded variables is
    guarded."""
    guards: list[Formula] = [part for part in rule.body if isinstance(part, Comparison)]
    guards += [part for part in rule.body if isinstance(part, Atom) and part.signature not in classes.signals]
    guarded = bound_variables(guards, _time_variables(rule))
    reported: set[str] = set()
    for literal in (part for part in rule.body if not isinstance(part, Aggregate)):
        for variable in variables(literal):
            if variable.name not in guarded | reported:
                reported.add(variable.name)
                message = f"Ticker needs an atom without window that guards {_name(variable)}."
                yield _note("E522", message, variable)


def _times_computed(rule: Rule) -> Iterator[Diagnostic]:
    """Time variables are not guarded, so they take part in no arithmetic and in no relation; nor is there `now`."""
    times = _time_variables(rule).keys()
    for part in (part for formula in (rule.head, *rule.body) for part in _computing(formula)):
        time = next((variable for variable in variables(part) if variable.name in times), None)
        if time is not None:
            message = f"Ticker computes and compares no times, and {_name(time)} in `{show(part)}` is one."
            yield _note("E525", message, time)
    for part in walk(rule):
        if isinstance(part, Now):
            yield _note("E525", "Ticker has no `now`.", part)


def _computing(node: Node) -> Iterator[Node]:
    """The outermost comparisons, operations and calls."""
    if isinstance(node, Comparison | Operation | Call):
        yield node
        return
    for child in children(node):
        yield from _computing(child)


def _name(variable: Variable) -> str:
    return "_" if variable.anonymous else variable.name


# -- predicates ---------------------------------------------------------------------------------------------


def _signals_and_background(analysis: Analysis, classes: TickerPredicates) -> Iterator[Diagnostic]:
    """Tuple windows are over signals, background is outside windows, and what is outside windows does not arrive."""
    declared = {d.signature for d in analysis.program.directives if isinstance(d, Input)}
    for rule in analysis.program.rules:
        for found in body_occurrences(rule):
            signature, windows = found.atom.signature, found.windows
            if signature in classes.intensional and any(isinstance(window, TupleWindow) for window in windows):
                message = f"In Ticker tuple windows count signals, and {signature}, which rules derive, is none."
                yield _note("E527", message, found.atom)
            elif signature in classes.signals & analysis.background:
                message = f"In Ticker {signature} is a signal, because it stands under a window or `@`."
                yield _note("E527", message, found.atom, "Use background data outside windows.")
            elif signature in classes.background & declared:
                message = f"In Ticker {signature} is background data, because it stands under no window."
                yield _note("E527", message, found.atom, f"Write `{show(found.atom)} [0 s]` for what arrives now.")


def _loops(analysis: Analysis) -> Iterator[Diagnostic]:
    for loop in odd_loops(analysis.dependencies, analysis.components):
        message = f"Ticker's incremental reasoner does not handle the odd loop {show_cycle(loop)}."
        yield _note("E526", message, loop[0].rule, "Use its reasoner clingo.")
    recursive = [component for component in analysis.components if component.recursive]
    for rule in analysis.program.rules:
        heads = {atom.signature for atom in head_atoms(rule)}
        for literal in rule.body:
            match extended_atom(literal):
                case ExtendedAtom(Quantifier.ALWAYS, atom, (TimeWindow(),), negated=False):
                    if any(heads & found.predicates and atom.signature in found.predicates for found in recursive):
                        message = f"Ticker does not handle recursion through `{show(literal)}`."
                        yield _note("E526", message, literal)


def _note(code: str, message: str, where: Node, hint: str = _OURS) -> Diagnostic:
    return Diagnostic(code, message, hint, where.origin, Severity.NOTE)
