"""Plain LARS as a theory: everything is seen from one evaluation time, the variable `now`.

An atom `a` is a at `now`, `@T a` is a at T, `a [n]` is a at some U with now-n <= U <= now, `always a [n]` is a at
now-n, …, now. Derived atoms are reached through the clauses of the same evaluation, so that nothing derived
earlier takes part; input lies between the first time point and `now`. A negated literal becomes the negation of an
auxiliary atom at `now` that its positive form derives.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from larspark.diagnostics import Diagnostic, Rejected
from larspark.hypothetical.theory import findings
from larspark.hypothetical.theory.bounds import TimeBound, at_least
from larspark.hypothetical.theory.reading import RuleReader, bound_names, check_safety
from larspark.hypothetical.theory.rigid import close_rigid
from larspark.hypothetical.theory.terms import ABSOLUTE, NOW, Key, Literal, Term, Time, Var, names
from larspark.hypothetical.theory.theory import Clause, NegatedWording, Theory
from larspark.language import tree
from larspark.language.facts import Fact, Signature
from larspark.language.traversal import variables

LONGEST_ALWAYS = 500
"""Time points of an `always` window that foresight spells out one by one."""


def lars_theory(program: tree.Program, background: Sequence[Fact] = (), start: int = 0) -> Theory:
    """The theory of a resolved plain program; raises Rejected with everything foresight cannot take."""
    reader = _RuleReader(program, background, start)
    reader.diagnostics += (
        findings.unsupported("what is held", one) for one in program.directives if isinstance(one, tree.Hold)
    )
    read = [clause for rule in program.rules for clause in reader.clauses(rule)]
    if reader.diagnostics:
        raise Rejected(dict.fromkeys(reader.diagnostics))
    clauses, rigid = close_rigid([*read, *reader.helpers], background)
    heads = {clause.head.key for clause in clauses}
    declared = {d.signature for d in program.directives if isinstance(d, tree.Input)}
    inputs = frozenset(Key(s.predicate, s.arity, True) for s in declared) & heads
    return Theory(tuple(clauses), rigid, inputs, start, evaluated=True, wording=reader.wording)


class _RuleReader:
    def __init__(self, program: tree.Program, background: Sequence[Fact], start: int) -> None:
        self.start = start
        self.diagnostics: list[Diagnostic] = []
        self.helpers: list[Clause] = []
        self.wording: dict[str, NegatedWording] = {}
        self.rigid = {fact.signature for fact in background} | _always_the_same(program)

    def clauses(self, rule: tree.Rule) -> Iterator[Clause]:
        """The clauses of a rule: one, and near the first time point one per time point where `always` is clipped."""
        longest = max((_past(_inside_not(formula)) for formula in rule.body), default=0)
        if longest > LONGEST_ALWAYS:
            self.diagnostics.append(findings.always_too_long(LONGEST_ALWAYS, rule))
            return
        general = self.clause(rule, None)
        if general is not None:
            yield replace(general, bounds=(*general.bounds, at_least(Time(NOW), self.start + longest)))
        for after in range(longest):
            clipped = self.clause(rule, after)
            if clipped is not None:
                here = TimeBound(Time(NOW), Time(ABSOLUTE, self.start + after), 0)
                yield replace(clipped, bounds=(*clipped.bounds, at_least(Time(NOW), self.start + after), here))

    def clause(self, rule: tree.Rule, clipped: int | None) -> Clause | None:
        """A rule read at `now`, or `clipped` time points after the first one, where `always` is cut off."""
        before = len(self.diagnostics)
        times = frozenset(name for f in (rule.head, *rule.body) for name in _time_names(f))
        part = _Part(self, RuleReader(times, self.diagnostics), clipped)
        head = self.head(rule.head, part)
        for formula in rule.body:
            if not isinstance(formula, tree.Not):
                part.read(formula)
        if head is None:
            return None
        raw = Clause(head, tuple(part.body), (), bounds=tuple(part.bounds), origin=rule.origin)
        clause = part.reader.finish(raw, part.comparisons)
        if clause is None:
            return None
        bound = bound_names(clause.body, clause.conditions, [NOW])
        negated = tuple(
            literal
            for formula in rule.body
            if isinstance(formula, tree.Not)
            and (literal := self.negated(formula.body, part.reader, bound, clipped)) is not None
        )
        needed = [*names((clause.head, *negated)), *(v.name for c in clause.conditions for v in variables(c))]
        if len(self.diagnostics) == before:  # a literal that cannot be read may have been the one that binds
            check_safety(needed, bound, rule.origin, self.diagnostics)
        onto_timeline = () if head.time is None else (at_least(clause.head.time or Time(NOW), self.start),)
        return replace(clause, negated=negated, bounds=(*clause.bounds, *onto_timeline))

    def head(self, formula: tree.Formula, part: _Part) -> Literal | None:
        match formula:
            case tree.Atom() as atom if atom.signature in self.rigid:
                return Literal(atom.predicate, part.reader.arguments(atom.args))
            case tree.Atom() as atom:
                return Literal(atom.predicate, part.reader.arguments(atom.args), Time(NOW))
            case tree.At(time, tree.Atom() as atom):
                return Literal(atom.predicate, part.reader.arguments(atom.args), part.reader.time(time))
        self.diagnostics.append(findings.unsupported("a head that is not an atom", formula))
        return None

    def negated(
        self, formula: tree.Formula, reader: RuleReader, bound: set[str], clipped: int | None
    ) -> Literal | None:
        """An auxiliary atom at `now` for the positive form of a negated literal; its local variables stay local."""
        part = _Part(self, replace(reader, conditions=[]), clipped)
        part.read(formula)
        if len(part.body) == 1 and part.body[0].time is None and set(names(part.body)) <= bound:
            return part.body[0]
        shared = dict.fromkeys(name for name in names(part.body) if name in bound and name != NOW)
        unsafe = [name for name in names(part.body) if name in _named(formula) and name not in {*bound, NOW}]
        check_safety(unsafe, bound, formula.origin, self.diagnostics)
        args: tuple[Term, ...] = tuple(Time(name) if name in reader.times else Var(name) for name in shared)
        name = f"denied/{len(self.wording) + 1}"
        self.wording[name] = NegatedWording(formula, tuple(shared))
        head = Literal(name, args, Time(NOW))
        clause = part.reader.finish(
            Clause(head, tuple(part.body), bounds=tuple(part.bounds), origin=formula.origin), part.comparisons
        )
        if clause is not None:
            self.helpers.append(clause)
        return head


class _Part:
    """Literals, bounds and comparisons collected from body formulas."""

    def __init__(self, reader: _RuleReader, rule: RuleReader, clipped: int | None) -> None:
        self.owner = reader
        self.reader = rule
        self.clipped = clipped
        self.body: list[Literal] = []
        self.bounds: list[TimeBound] = []
        self.comparisons: list[tree.Comparison] = []

    def read(self, formula: tree.Formula) -> None:
        match formula:
            case tree.Comparison():
                self.comparisons.append(formula)
            case tree.Atom() as atom:
                self.add(atom, Time(NOW))
            case tree.At(time, tree.Atom() as atom):
                self.add(atom, self.reader.time(time))
            case tree.Windowed(tree.TimeWindow() as window, inner) if _plain(window):
                self.windowed(window, inner)
            case _:
                self.owner.diagnostics.append(findings.unsupported(_called(formula), formula))

    def add(self, atom: tree.Atom, time: Time) -> None:
        rigid = atom.signature in self.owner.rigid
        self.body.append(Literal(atom.predicate, self.reader.arguments(atom.args), None if rigid else time))

    def windowed(self, window: tree.TimeWindow, formula: tree.Formula) -> None:
        past, future = tree.points(window.past), tree.points(window.future)
        match formula:
            case tree.Some(tree.Atom() as atom):
                self.within(Time(f"_Within{next(self.reader.fresh)}"), past, future, atom)
            case tree.At(time, tree.Atom() as atom):
                self.within(self.reader.time(time), past, future, atom)
            case tree.Always(tree.Atom() as atom) if past is not None and future is not None:
                reach = past if self.clipped is None else min(past, self.clipped)
                for offset in range(-reach, future + 1):
                    self.add(atom, Time(NOW, offset))
            case _:
                self.owner.diagnostics.append(findings.unsupported(_called(formula), formula))

    def within(self, time: Time, past: int | None, future: int | None, atom: tree.Atom) -> None:
        self.add(atom, time)
        if atom.signature in self.owner.rigid:
            return
        if past is not None:
            self.bounds.append(TimeBound(Time(NOW, -past), time, 0))
        if future is not None:
            self.bounds.append(TimeBound(time, Time(NOW, future), 0))


def _plain(window: tree.TimeWindow) -> bool:
    return window.hop == 1


def _called(formula: tree.Formula) -> str:
    match formula:
        case tree.Windowed(tree.TimeWindow(), _):
            return "a hopping window or an endless `always`"
        case tree.Windowed(tree.TupleWindow() | tree.PartitionWindow(), _):
            return "a tuple window"
        case tree.Aggregate():
            return "an aggregate"
        case _:
            return "this formula"


def _inside_not(formula: tree.Formula) -> tree.Formula:
    return formula.body if isinstance(formula, tree.Not) else formula


def _past(formula: tree.Formula) -> int:
    """How far an `always` reaches back."""
    match formula:
        case tree.Windowed(tree.TimeWindow(past=past), tree.Always()):
            return tree.points(past) or 0
    return 0


def _time_names(formula: tree.Formula) -> Iterator[str]:
    match _inside_not(formula):
        case tree.At(time, _) | tree.Windowed(_, tree.At(time, _)):
            yield from (v.name for v in variables(time))


def _named(formula: tree.Formula) -> set[str]:
    """The variables that the user has named, which must not be local to a negation."""
    return {v.name for v in variables(formula) if not v.anonymous}


def _always_the_same(program: tree.Program) -> set[Signature]:
    """Predicates that hold the same at every time point of every evaluation: background data."""
    return {d.signature for d in program.directives if isinstance(d, tree.Background)}
