"""The rewrites in the order in which they are applied, and what they made of a program."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from larspark.analysis.rewrites.drop_implied_literals import drop_implied_literals
from larspark.analysis.rewrites.drop_subsumed_rules import drop_subsumed_rules
from larspark.analysis.rewrites.drop_unreachable_rules import drop_unreachable_rules
from larspark.analysis.rewrites.inline_equalities import inline_equalities
from larspark.analysis.rewrites.merge_windows import merge_windows
from larspark.analysis.rewrites.predict import predicted_factor
from larspark.analysis.rewrites.push_comparisons import push_comparisons
from larspark.analysis.rewrites.split_windows import split_windows
from larspark.analysis.rewrites.unfold_single_uses import unfold_single_uses
from larspark.language.tree import Program, Rule

STRONG = "strong"
SHOWN = "data, for what is shown"


@dataclass(frozen=True)
class Rewrite:
    """A step, and the notion of equivalence that it keeps."""

    apply: Callable[[Program], Program]
    notion: str
    ordinary: bool = True
    """Part of the ordinary optimisation; the others are applied on request."""

    @property
    def name(self) -> str:
        return self.apply.__name__.replace("_", "-")


REWRITES = (
    Rewrite(split_windows, STRONG),
    Rewrite(inline_equalities, STRONG),
    Rewrite(unfold_single_uses, SHOWN),
    Rewrite(push_comparisons, SHOWN),
    Rewrite(drop_implied_literals, STRONG),
    Rewrite(drop_subsumed_rules, STRONG),
    Rewrite(drop_unreachable_rules, SHOWN),
    Rewrite(merge_windows, STRONG, ordinary=False),  # what it makes is not plain, so only `reference` takes it
)

ORDINARY = tuple(rewrite.name for rewrite in REWRITES if rewrite.ordinary)


@dataclass(frozen=True)
class RewriteStep:
    """What one rewrite changed."""

    rewrite: Rewrite
    removed: tuple[Rule, ...]
    added: tuple[Rule, ...]


@dataclass(frozen=True)
class OptimisedProgram:
    """What the rewrites made of a program, and what that is expected to gain."""

    program: Program
    steps: tuple[RewriteStep, ...]
    predicted: float
    """Time before / time after; see `predict`."""


def optimise(program: Program, names: Collection[str] = ORDINARY) -> OptimisedProgram:
    """Apply the named rewrites to a resolved program, again as long as one of them finds something."""
    if "merge-windows" in names:
        names = set(names) - {"split-windows"}  # they undo each other
    steps: list[RewriteStep] = []
    written, before = program, None
    while program != before:
        before = program
        for rewrite in REWRITES:
            after = rewrite.apply(program) if rewrite.name in names else program
            if after != program:
                steps.append(RewriteStep(rewrite, _without(program, after), _without(after, program)))
                program = after
    return OptimisedProgram(program, tuple(steps), predicted_factor(written, program))


def _without(program: Program, other: Program) -> tuple[Rule, ...]:
    """The rules of one program that the other does not have."""
    present = list(other.rules)
    missing = []
    for rule in program.rules:
        if rule in present:
            present.remove(rule)
        else:
            missing.append(rule)
    return tuple(missing)
