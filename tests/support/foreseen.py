"""Random plain LARS programs that foresight takes, and everything that small futures can bring."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from hypothesis import strategies as st

from larspark.analysis.pipeline import Analysis
from larspark.language.facts import Fact
from larspark.semantics.answer_streams import answer_streams
from larspark.semantics.streams import Stream

INPUT = (Fact("e", ("a",)), Fact("f", ("a",)))
Future = frozenset[tuple[int, Fact]]


@st.composite
def _literal(draw: st.DrawFn, predicates: Sequence[str], number: int) -> str:
    atom = f"{draw(st.sampled_from(predicates))}(X)"
    size = draw(st.integers(0, 2))
    return draw(
        st.sampled_from(
            [atom, f"{atom} [{size}]", f"{atom} [{size}]", f"always {atom} [{size}]", f"@T{number} {atom} [{size}]"]
        )
    )


@st.composite
def lars_programs(draw: st.DrawFn, negation: bool = True) -> str:
    """Rules for p over the input, for q over p, for r over all of them; negation only of what is derived positively."""
    rules = []
    for head, below in (("p", ["e", "f"]), ("q", ["e", "f", "p"]), ("r", ["e", "p", "q"])):
        for _ in range(draw(st.integers(1, 2))):
            body = [draw(_literal(below, number)) for number in range(draw(st.integers(1, 2)))]
            pinned = [f"T{number}" for number in range(2) if f"@T{number} " in ",".join(body)]
            if negation and head == "r" and draw(st.booleans()):
                body.append("not " + draw(_literal(["e", "f", "p"], 9)).replace("@T9 ", ""))
            if pinned and head != "r" and draw(st.booleans()):
                shift = draw(st.sampled_from(["", " + 1"]))
                rules.append(f"@({pinned[0]}{shift}) {head}(X) :- {', '.join(body)}.")
            else:
                rules.append(f"{head}(X) :- {', '.join(body)}.")
    return "\n".join(rules)


def futures(after: int, until: int) -> Iterator[Future]:
    """Every set of facts in (after, until], small ones first."""
    possible = [(time, fact) for time in range(after + 1, until + 1) for fact in INPUT]
    for size in range(len(possible) + 1):
        yield from map(frozenset, combinations(possible, size))


def holds(analysis: Analysis, history: Future, time: int) -> frozenset[Fact]:
    """What the judge derives at `time` from these facts."""
    arrivals = sorted(history, key=lambda arrival: (arrival[0], str(arrival[1])))
    (found,) = answer_streams(analysis.program, Stream.of(0, None, arrivals), time)
    return found.output(time)
