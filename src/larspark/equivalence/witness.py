"""Evidence against equivalence, confirmed by the judge before anyone sees it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from larspark.diagnostics import Rejected
from larspark.equivalence.setting import Setting, extended
from larspark.language.facts import Signature
from larspark.language.tree import Program, Rule
from larspark.semantics.answer_streams import answer_streams
from larspark.semantics.interpretations import Atoms, TimedFact

Answers = frozenset[Atoms]
"""Answer streams, as atoms beyond the data."""

Shown = frozenset[Signature]


@dataclass(frozen=True)
class Witness:
    """What to add to both programs or to the data, and the answer streams that then differ."""

    context: tuple[Rule, ...]
    added: tuple[TimedFact, ...]
    """Data, in the order of arrival."""
    setting: Setting
    """The setting with the added data."""
    first: Answers | None
    second: Answers | None
    """None: the programs are too large for the judge, and only `example` is known."""
    example: Atoms
    """An answer stream of one program that is none of the other."""
    of_first: bool
    """Whether the example belongs to the first program."""

    @property
    def confirmed(self) -> bool:
        """Whether the judge has computed all answer streams of both programs."""
        return self.first is not None and self.second is not None


def answers(program: Program, setting: Setting, shown: Shown | None = None) -> Answers:
    """All answer streams by the definition, reduced to the predicates shown."""
    found = answer_streams(
        program, setting.data, setting.at, background=setting.background, environment=setting.environment
    )
    return frozenset(reduced(one.atoms, shown) for one in found)


def reduced(atoms: Atoms, shown: Shown | None) -> Atoms:
    return atoms if shown is None else frozenset(timed for timed in atoms if timed[1].signature in shown)


def confirm(
    first: Program,
    second: Program,
    setting: Setting,
    claim: tuple[Atoms, bool],
    *,
    context: tuple[Rule, ...] = (),
    added: Iterable[TimedFact] = (),
) -> Witness:
    """Let the judge look at what a search claims: the example, and whether it is an answer of the first program."""
    example, of_first = claim
    try:
        one, other = answers(extended(first, context), setting), answers(extended(second, context), setting)
    except Rejected:
        return Witness(context, tuple(added), setting, None, None, example, of_first)
    if (example in one) is not of_first or (example in other) is of_first:
        raise RuntimeError(f"the judge does not confirm the difference found with {context} and {added}")
    return Witness(context, tuple(added), setting, one, other, example, of_first)


def compared(
    first: Program,
    second: Program,
    setting: Setting,
    *,
    context: tuple[Rule, ...] = (),
    added: Iterable[TimedFact] = (),
    shown: Shown | None = None,
) -> Witness | None:
    """A witness if the answer streams differ in this setting with this context."""
    one = answers(extended(first, context), setting, shown)
    other = answers(extended(second, context), setting, shown)
    if one == other:
        return None
    of_first = bool(one - other)
    example = min(one - other if of_first else other - one, key=lambda atoms: (len(atoms), sorted(atoms, key=str)))
    return Witness(context, tuple(added), setting, one, other, example, of_first)
