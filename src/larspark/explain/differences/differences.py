"""Where two histories differ: stretches of atoms that only one of them has, and which rules give them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from larspark.explain.evaluations.history import AnswerHistory, Span, Stretch, without
from larspark.explain.evaluations.relevance import Relevance
from larspark.explain.evaluations.world import EvaluationSetting, World
from larspark.explain.phrasing import UNSAID, Phrasing
from larspark.explain.proofs.build import proofs
from larspark.explain.proofs.proof import Proof, Question
from larspark.language.facts import Fact, Signature, fact_order

_Spans: TypeAlias = Mapping[tuple[Fact, int | None], Sequence[Span]]
"""The evaluations at which atoms hold, by what they are about."""

EXPLAINED, PER_ATOMS, MOST = 10, 2000, 200
"""Differences that are explained: at least so many, one for so many arrivals, at most so many; all are listed.

More would take longer than the two evaluations, and is asked for.
"""


@dataclass(frozen=True)
class AnswerDifference:
    """A stretch that only the new side (+) or only the old side (-) has."""

    sign: str
    stretch: Stretch
    why: Proof | None = None
    """The proof on the side that has it, at its first evaluation."""

    @property
    def rule(self) -> dict[str, Any] | None:
        """The rule that gives it."""
        found = None if self.why is None else self.why.nodes[0].details.get("rule")
        return None if found is None else dict(found)

    def as_json(self) -> dict[str, Any]:
        fact, at, first, last = self.stretch
        pinned = {} if at is None else {"at": at}
        rule = {} if self.rule is None else {"rule": self.rule}
        return {"from": first, "to": last, "atom": str(fact), "sign": self.sign, **pinned, **rule}


@dataclass(frozen=True)
class Side:
    """A program over arrivals, with what follows."""

    setting: EvaluationSetting
    history: AnswerHistory

    def explain(self, difference: AnswerDifference) -> AnswerDifference:
        fact, at, first, _ = difference.stretch
        question = Question("why", fact, first, at)
        found = proofs(self._world(question), question, depth=1)
        return replace(difference, why=found[0] if found else None)

    def _world(self, question: Question) -> World:
        """The evaluation of which the difference is the first one; only what it can depend on, where that is known."""
        setting, time = self.setting, question.time
        if setting.single and setting.reach is not None and not setting.records:
            relevance = Relevance.of(setting.program, question.fact)
            present = AnswerHistory(time, time, tuple(self._present(time)))
            return World.of(setting, time, present, setting.relevant(relevance, time, time))
        return World.of(setting, time, self.history, setting.until(time))

    def _present(self, time: int) -> Iterator[Stretch]:
        first, last = self._ends
        return (self.history.stretches[place] for place in np.flatnonzero((first <= time) & (time <= last)).tolist())

    @cached_property
    def _ends(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Where the stretches of the history begin and end."""
        stretches = self.history.stretches
        return np.array([one.first for one in stretches]), np.array([one.last for one in stretches])


def differences(
    old: Side, new: Side, shown: Collection[Signature], explained: int | None = None
) -> list[AnswerDifference]:
    """In the order of time; so many with their whys, or as many as take no longer than the evaluations."""
    ordered = only_in_one(old.history, new.history, shown)
    count = explained
    if count is None:
        count = min(MOST, max(EXPLAINED, len(new.setting.arrivals) // PER_ATOMS))
    told = [(new if one.sign == "+" else old).explain(one) for one in ordered[:count]]
    return [*told, *ordered[count:]]


def only_in_one(old: AnswerHistory, new: AnswerHistory, shown: Collection[Signature]) -> list[AnswerDifference]:
    """What only one of two histories has, in the order of time."""
    before, after = (_spans(one.stretches, shown) for one in (old, new))
    signed = [("+", one) for one in _only(after, before)] + [("-", one) for one in _only(before, after)]
    facts = sorted({one.fact for _, one in signed}, key=fact_order)
    places = {fact: place for place, fact in enumerate(facts)}

    def order(found: tuple[str, Stretch]) -> tuple[int, int, int, int, str]:
        sign, (fact, at, first, last) = found
        return first, places[fact], -1 if at is None else at, last, sign

    return [AnswerDifference(*one) for one in sorted(signed, key=order)]


def _only(own: _Spans, theirs: _Spans) -> Iterator[Stretch]:
    for (fact, at), spans in own.items():
        others = theirs.get((fact, at), ())
        if spans != others:
            for first, last in without(spans, others):
                yield Stretch(fact, at, first, last)


def _spans(stretches: Iterable[Stretch], shown: Collection[tuple[str, int]]) -> _Spans:
    found: dict[tuple[Fact, int | None], list[Span]] = {}
    for fact, at, first, last in stretches:
        own = found.get((fact, at))
        if own is not None:
            own.append((first, last))
        elif (fact.predicate, len(fact.args)) in shown:
            found[fact, at] = [(first, last)]
    return found


# -- in words --------------------------------------------------------------------------------------


def difference_lines(found: Sequence[AnswerDifference], words: Phrasing = UNSAID) -> Iterator[str]:
    """How much changes for each predicate and rule, then every stretch."""
    if not found:
        yield "The answers are the same."
        return
    yield from _summary("predicate", Counter((str(one.stretch.fact.signature), one.sign) for one in found))
    yield from _summary("rule", Counter((_place(one), one.sign) for one in found if one.rule))
    for one in found:
        fact, at, first, last = one.stretch
        when = words.time(first) if first == last else f"{words.time(first)}..{words.time(last)}"
        sentence = words.sentence(fact, first if at is None else at)
        said = f'   "{sentence}"' if sentence else ""
        yield f"{one.sign} {when}: {words.atom(fact, at)}{f'   by {_place(one)}' if one.rule else ''}{said}"
    explained = sum(one.why is not None for one in found)
    if explained < len(found):
        yield f"({explained:,} of {len(found):,} are explained: --explain all)"


def _summary(what: str, counts: Counter[tuple[str, str]]) -> Iterator[str]:
    for name in dict.fromkeys(name for name, _ in sorted(counts)):
        yield f"{what} {name}: +{counts[name, '+']} -{counts[name, '-']} stretches"


def _place(one: AnswerDifference) -> str:
    rule = one.rule or {}
    return f"{rule['file']}:{rule['line']}" if rule.get("file") else f"rule {rule.get('index', 0) + 1}"
