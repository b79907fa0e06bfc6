"""A reading: what its windows select as an intersection, how it is named, and which this reasoner cannot follow."""

from __future__ import annotations

from larspark.analysis.structure.window_chains import Chain, chain
from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.clock_terms import is_clock_term
from larspark.language.extended_atoms import ExtendedAtom, Quantifier
from larspark.language.tree import IntervalWindow


def chain_of(reading: ExtendedAtom) -> Chain | None:
    return Chain(times=((0, 0, 1),)) if reading.quantifier is Quantifier.NOW else chain(reading.windows)


def told(reading: ExtendedAtom) -> str:
    windows = " ".join(window.show(None) for window in reading.windows)
    return f"{reading.quantifier} {reading.signature} {windows}".strip()


def require_clock(reading: ExtendedAtom) -> None:
    """What is looked up may hang on the time, but on no variable."""
    for window in reading.windows:
        match window:
            case IntervalWindow(start, end) if not (is_clock_term(start) and is_clock_term(end)):
                raise Rejected([unusual(reading)])


def unusual(reading: ExtendedAtom) -> Diagnostic:
    """Windows that this reasoner cannot follow."""
    return Diagnostic(
        "E507",
        f"The interval reasoner cannot follow the windows of `{told(reading)}`.",
        "Put a hopping, tumbling or interval window last in the chain, or use `--reasoner clingo`.",
        reading.windows[0].origin if reading.windows else None,
    )
