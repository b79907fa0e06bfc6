"""Rule heads as program text.

No stream has an atom before its start: a head pinned there is false. Where that can happen a rule is written twice,
once for times inside the timeline and once, without that head, for times before it; alone it becomes a constraint.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from larspark.language.tree import Now, Operation, Term, Variable
from larspark.reasoners.clingo.bodies import Vocabulary
from larspark.reasoners.clingo.terms import TermText, is_computed
from larspark.reasoners.clingo.windows import atom_text
from larspark.reasoners.plain import Head


def head_variants(
    heads: Sequence[Head], terms: TermText, vocabulary: Vocabulary
) -> Iterator[tuple[list[str], list[str]]]:
    """The variants of a rule: its heads, and what they add to the body."""
    if not heads:
        yield [], []
        return
    *before, head = heads
    for written, conditions in head_variants(before, terms, vocabulary):
        for atom, condition in _variants(head, f"_P{len(heads)}", terms, vocabulary):
            yield [*written, *atom], [*conditions, *condition]


def _variants(head: Head, pin: str, terms: TermText, vocabulary: Vocabulary) -> Iterator[tuple[list[str], list[str]]]:
    name = vocabulary.names.predicate(head.atom.predicate)
    args = [terms.term(term) for term in head.atom.args]
    time = Now() if head.time is None else head.time
    if _is_harmless(time, terms):
        yield [atom_text(name, [*args, terms.term(time)])], []
        return
    pinned = f"{pin} = @pin({terms.term(time)})"
    atom = atom_text(name, [*args, pin])
    if terms.not_before(time):
        yield [atom], [pinned]
        return
    yield [atom], [pinned, f"{pin} >= {vocabulary.start}"]
    # An instance whose terms have no value does not exist, wherever it would be pinned.
    valued = (f"{pin}A{place} = {args[place]}" for place, arg in enumerate(head.atom.args) if is_computed(arg))
    yield [], [pinned, f"{pin} < {vocabulary.start}", *valued]


def _is_harmless(time: Term, terms: TermText) -> bool:
    """Now, a time variable, or a point after now: inside the timeline, and not the start of a run into the future."""
    match time:
        case Variable():
            return True
        case Now() | Operation("+", Now(), _):
            return terms.not_before(time)
    return False
