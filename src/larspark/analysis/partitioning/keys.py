"""By which variables a rule can be split: the key stands in every atom that has to meet another.

Partitions have all fixed data (background, and predicates given by facts alone), but only their part of everything
else. A rule may fire in a partition only for key values that belong there. A positive atom of the partition's own data
sees to that; where only fixed data gives the key its values, the rule is guarded: an argument of that data lends the
partition its share of the values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from larspark.analysis.analysis import Analysis
from larspark.analysis.passes.check_safety import visible_variables
from larspark.analysis.passes.fragments import is_plain_rule
from larspark.analysis.structure.occurrences import (
    body_occurrences,
    counted_beside,
    head_atoms,
)
from larspark.language.extended_atoms import ExtendedAtom, Quantifier
from larspark.language.facts import Signature
from larspark.language.traversal import atoms, walk
from larspark.language.tree import (
    At,
    Atom,
    Constant,
    Hold,
    Keyed,
    KeyedWindow,
    Or,
    PartitionWindow,
    RegisteredWindow,
    Rule,
    TupleWindow,
    Variable,
    Windowed,
)

NO_COMMON_KEY = "no variable is shared by all atoms of its body"


@dataclass(frozen=True, slots=True)
class Guard:
    """The argument of a fixed predicate from which a key takes its values."""

    signature: Signature
    position: int


@dataclass(frozen=True, slots=True)
class RuleKey:
    """The variable by whose value the atoms of a rule are distributed."""

    rule: Rule
    variable: str
    guard: Guard | None = None
    """Needed where nothing but fixed data gives the variable its values."""


def fixed_predicates(analysis: Analysis) -> frozenset[Signature]:
    """Background, and predicates that are defined by facts alone, of which nothing has to be computed."""
    derived = {
        head
        for rule in analysis.program.rules
        if rule.body
        or isinstance(rule.head, Or)  # one of several is chosen
        or not all(isinstance(term, Constant) for atom in head_atoms(rule) for term in atom.args)
        for head in analysis.dependencies.heads(rule)
    }
    return (analysis.background | (analysis.intensional - derived)) - analysis.extensional


@dataclass(frozen=True)
class Distribution:
    """What partitions have of the data: everything that is fixed, and of what is held the arrivals of whole keys."""

    fixed: frozenset[Signature]
    held: Mapping[Signature, Hold] = field(default_factory=dict)
    mixed: frozenset[Signature] = frozenset()
    """Given and arriving: every partition has the one, only some have the other."""
    arriving: frozenset[Signature] = frozenset()

    @classmethod
    def of(cls, analysis: Analysis) -> Distribution:
        arriving = analysis.extensional
        return cls(fixed_predicates(analysis), analysis.held, analysis.background & arriving, arriving)

    def meeting(self, occurrences: Iterable[ExtendedAtom]) -> list[ExtendedAtom]:
        """The atoms that have to meet others: all but fixed data, of which every partition has a copy."""
        every = (one for found in occurrences for one in (found, *counted_beside(found)))
        return [self._with_key(found) for found in every if found.atom.signature not in self.fixed]

    def _with_key(self, found: ExtendedAtom) -> ExtendedAtom:
        """What is held hangs on the other arrivals of its key, as in a window per key."""
        hold = self.held.get(found.atom.signature)
        if hold is None:
            return found
        windows = (*found.windows, PartitionWindow(1, 0, (Keyed(hold.signature, hold.keys),)))
        return replace(found, windows=windows)


def joined(data: Distribution, rule: Rule) -> list[ExtendedAtom]:
    """The atoms of the body that have to meet, and what of the head has to meet its own arrivals."""
    return data.meeting((*body_occurrences(rule), *told_unless_arrived(rule, data.arriving)))


def told_unless_arrived(rule: Rule, arriving: frozenset[Signature]) -> list[ExtendedAtom]:
    """Atoms about other times in the head that may be data as well: then they are no conclusions."""
    elsewhere = (node for node in walk(rule.head) if isinstance(node, At | Windowed))
    found = dict.fromkeys(atom for node in elsewhere for atom in atoms(node) if atom.signature in arriving)
    return [ExtendedAtom(Quantifier.NOW, atom, negated=True) for atom in found]


def obstacle(data: Distribution, rule: Rule) -> str:
    """Why no variable splits this rule; empty when one does, or when there is nothing to split."""
    if not is_plain_rule(rule):
        return "it is not plain LARS"
    if both := sorted({found.atom.signature for found in body_occurrences(rule)} & data.mixed):
        return f"{both[0]} is given and arrives as well"
    meeting = joined(data, rule)
    for found in meeting:
        for window in found.windows:
            if isinstance(window, TupleWindow):
                return "a tuple window counts the whole stream"
            if isinstance(window, RegisteredWindow):
                return f"the window function {window.name} may look at the whole stream"
    if any(found.counts_arrivals and found.atom.signature in data.fixed for found in body_occurrences(rule)):
        return "where a window over given facts begins hangs on the whole stream"
    if any(map(_spans_all_keys, body_occurrences(rule))):
        return "`always` over a window per key reaches back to the oldest atom of all keys"
    if not meeting:
        return ""
    if not _common(data, rule):
        return NO_COMMON_KEY
    if not list(keys(data, rule)):
        return "nothing but a computation gives the key its values"
    return ""


def keys(data: Distribution, rule: Rule) -> Iterator[RuleKey]:
    """The variables by which the rule can be split."""
    # A positive atom needs an arrival or a conclusion, and these are the partition's own.
    owned = any(not found.strict for found in joined(data, rule))
    for name in sorted(_common(data, rule)):
        guard = None if owned else _guard(data, rule, name)
        if owned or guard:
            yield RuleKey(rule, name, guard)


def places(found: ExtendedAtom, variable: str) -> list[int]:
    """The argument positions by which an atom can be distributed under this key."""
    return [place for place, name in _carried(found) if name == variable]


def carried_variables(found: ExtendedAtom) -> set[str]:
    """The variables by which an atom can be distributed."""
    return {name for _, name in _carried(found)}


def variable_at(atom: Atom, position: int) -> str | None:
    term = atom.args[position]
    return term.name if isinstance(term, Variable) else None


def _common(data: Distribution, rule: Rule) -> set[str]:
    outside = {variable.name for variable in visible_variables(rule)}
    names = [carried_variables(found) for found in joined(data, rule)]
    return set.intersection(*names) & outside if names else outside


def _carried(found: ExtendedAtom) -> list[tuple[int, str]]:
    """The variables of an atom and where they stand, without those that would tear apart what its windows count."""
    positions = set(range(len(found.atom.args)))
    for window in found.windows:
        if isinstance(window, KeyedWindow):
            positions &= set(window.keys_of(found.atom.signature) or ())
    named = ((place, variable_at(found.atom, place)) for place in sorted(positions))
    return [(place, name) for place, name in named if name is not None]


def _guard(data: Distribution, rule: Rule, name: str) -> Guard | None:
    for found in body_occurrences(rule):
        if found.atom.signature in data.fixed and not found.strict:
            for place, carried in _carried(found):
                if carried == name:
                    return Guard(found.atom.signature, place)
    return None


def _spans_all_keys(found: ExtendedAtom) -> bool:
    """Def. 6: the timeline of a partition-based window is that of all its parts together."""
    return found.quantifier is Quantifier.ALWAYS and any(isinstance(one, KeyedWindow) for one in found.windows)
