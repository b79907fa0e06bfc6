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
PAIRS = (Fact("e", ("a", 1)), Fact("e", ("a", 2)), Fact("f", ("a", 1)))
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


@st.composite
def joining_programs(draw: st.DrawFn) -> str:
    """A join of two inputs, one of them perhaps through a rule with a pinned head, under comparisons and negation."""
    names, rules = ["e", "f"], []
    if draw(st.booleans()):
        shift, size = draw(st.integers(0, 1)), draw(st.integers(0, 2))
        source = draw(st.sampled_from(names))
        rules.append(f"@(T + {shift}) p(X,Y) :- @T {source}(X,Y) [{size}].")
        names[draw(st.integers(0, 1))] = "p"
    body, times = [], []
    for number, (name, variable) in enumerate(zip(names, "YZ", strict=True)):
        form = draw(
            st.sampled_from(["{0}", "{0} [{1}]", "{0} [{1}]", "always {0} [{1}]", "@T{2} {0} [{1}]", "@T{2} {0} [{1}]"])
        )
        body.append(form.format(f"{name}(X,{variable})", draw(st.integers(0, 2)), number))
        times += [f"T{number}"] if form.startswith("@") else []
    if draw(st.booleans()):
        body.append(draw(st.sampled_from(["Y = Z", "Y != Z", "Y < Z", "Z <= Y", "Y + Z > 2", "W = Y - Z, W > 0"])))
    if len(times) == 2 and draw(st.booleans()):
        body.append(draw(st.sampled_from(["T0 < T1", "T1 <= T0", "T1 - T0 <= 1", "T0 != T1", "T0 = T1", "T1 < now"])))
    if draw(st.booleans()):
        negated = draw(st.sampled_from(["f(X,Y)", "e(X,Z)", "e(X,_)", "e(X,2)"]))
        body.append(f"not {negated} [{draw(st.integers(0, 2))}]")
    return "\n".join([*rules, f"r(X) :- {', '.join(body)}."])


def futures(after: int, until: int, facts: Sequence[Fact] = INPUT) -> Iterator[Future]:
    """Every set of facts in (after, until], small ones first."""
    possible = [(time, fact) for time in range(after + 1, until + 1) for fact in facts]
    for size in range(len(possible) + 1):
        yield from map(frozenset, combinations(possible, size))


def holds(analysis: Analysis, history: Future, time: int) -> frozenset[Fact]:
    """What the judge derives at `time` from these facts."""
    arrivals = sorted(history, key=lambda arrival: (arrival[0], str(arrival[1])))
    (found,) = answer_streams(analysis.program, Stream.of(0, None, arrivals), time)
    return found.output(time)
