"""The programs: those of Laser's evaluation (ISWC 2017, sec. 4), of the thesis (sec. 7.4), and our own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from larspark.bench.workloads.streams import QUALITIES
from larspark.bench.workloads.task import Parameters
from larspark.language.facts import Fact

ProgramText: TypeAlias = Callable[[Parameters], str]

FEW, BEST = 100, 5
"""What `report` counts apart, and how many `ranks` lists."""

WHILE = 5
"""How long a stop must be crowded to be so lastingly."""

FORMS = {
    "ta": "@T {atom} [{size}]",
    "td": "{atom} [{size}]",
    "tb": "always {atom} [{size}]",
    "ca": "@T {atom} [{size} #]",
    "cd": "{atom} [{size} #]",
    "cb": "always {atom} [{size} #]",
}
"""The six forms of a window atom (thesis Table 7.5): time or count, with @, some, always."""


def windowed(form: str, atom: str, size: int) -> str:
    return FORMS[form].format(atom=atom, size=size)


def diamond(parameters: Parameters) -> str:
    return f"q(A,B) :- p(A,B) [{parameters.window}]."


def box(parameters: Parameters) -> str:
    return f"q(A,B) :- always p(A,B) [{parameters.window}]."


def join(parameters: Parameters) -> str:
    return _join("q", parameters.window)


def _join(head: str, window: int) -> str:
    return f"{head}(A,C) :- p(A,B) [{window}], p(B,C) [{window}]."


def several_joins(parameters: Parameters) -> str:
    return "\n".join(_join(f"q{number}", parameters.window) for number in range(1, parameters.size + 1))


def cooling(parameters: Parameters) -> str:
    n = parameters.window
    return f"""
        @T steam(V) :- @T temp(V) [{n}], V >= 100.
        @T liquid(V) :- @T temp(V) [{n}], V >= 1, V < 100.
        @T isSteam :- @T steam(V) [{n}].
        @T isLiquid :- @T liquid(V) [{n}].
        alarm :- always isSteam [{n}].
        normal :- always isLiquid [{n}].
        freeze :- not alarm, not normal.
        veryHot(T) :- @T steam(V) [{n}], V >= 150.
        veryCold(T) :- @T liquid(V) [{n}], V = 1."""


def basic(form: str) -> ProgramText:
    return lambda parameters: f"a(X) :- g(X), {windowed(form, 'sig(X)', parameters.window)}."


def guards(parameters: Parameters) -> list[Fact]:
    return _numbered("g", parameters.size)


def reach(parameters: Parameters) -> str:
    return f"""
        reach(X,Y) :- edge(X,Y), sig(X,Y) [{parameters.window}], X < Y.
        reach(X,Z) :- reach(X,Y), reach(Y,Z), X < Y, Y < Z."""


def path(parameters: Parameters) -> list[Fact]:
    return [Fact("edge", (number - 1, number)) for number in range(1, parameters.size + 1)]


def strategy(parameters: Parameters) -> str:
    k = parameters.window
    return f"""
        nMax(V) :- value(V), value(V2), V2 > V.
        max(V) :- value(V), not nMax(V).
        third(V) :- value(V), max(M), V = M / 3.
        upper(V) :- value(V), third(X), value(Y), Y = 2 * X, Y < V.
        lower(V) :- value(V), third(X), V <= X.
        middle(V) :- value(V), not upper(V), not lower(V).
        @T high :- @T alpha(V) [{k}], upper(V).
        @T mid :- @T alpha(V) [{k}], middle(V).
        @T low :- @T alpha(V) [{k}], lower(V).
        lfu :- always high [{k}].
        lru :- always mid [{k}].
        fifo :- always low [{k}].
        specific :- lfu.
        specific :- lru.
        specific :- fifo.
        random :- not specific."""


def values(parameters: Parameters) -> list[Fact]:
    return _numbered("value", parameters.size)


def content(parameters: Parameters) -> str:
    k = parameters.window
    return f"""
        need(I,N) :- item(I), node(N), req(I,N) [{k}].
        avail(I,N) :- item(I), node(N), cache(I,N) [{k}].
        src(I,N,M) :- need(I,N), not avail(I,N), avail(I,M), N != M.
        getFrom(I,N,M) :- src(I,N,M), not dism(I,N,M).
        dism(I,N,M) :- node(M), getFrom(I,N,M2), M != M2.
        dism(I,N,M) :- src(I,N,M), src(I,N,M2), worseThan(M,M2).
        worseThan(N,N2) :- minQ(N,Q), minQ(N2,Q2), N != N2, Q < Q2.
        minQ(N,Q) :- node(N), qLev(Q), qual(N,Q) [{k}], not nMinQ(N,Q).
        nMinQ(N,Q) :- node(N), qLev(Q), qLev(Q2), qual(N,Q) [{k}], qual(N,Q2) [{k}], Q2 < Q."""


def network(parameters: Parameters) -> list[Fact]:
    return [
        *_numbered("node", parameters.size),
        *_numbered("item", parameters.rate),
        *_numbered("qLev", QUALITIES),
    ]


def negation(parameters: Parameters) -> str:
    n = parameters.window
    return f"""
        silent(M) :- machine(M), not beat(M) [{n}].
        excused(M) :- machine(M), service(M) [{n}].
        broken(M) :- silent(M), not excused(M).
        fine(M) :- machine(M), not silent(M), not excused(M).
        odd(M) :- machine(M), not broken(M), not fine(M)."""


def machines(parameters: Parameters) -> list[Fact]:
    return [Fact("machine", (number,)) for number in range(parameters.size)]


def aggregate(parameters: Parameters) -> str:
    n = parameters.window
    return f"""
        load(S,N) :- stop(S), N = #count{{ V : seen(V,S) [{n}] }}.
        latest(S,N) :- stop(S), N = #max{{ V : seen(V,S) [{n}] }}.
        weight(S,N) :- stop(S), N = #sum{{ V : seen(V,S) [{n}] }}."""


def report(parameters: Parameters) -> str:
    seen = f"seen(V,S) [{parameters.window}]"
    return f"""
        report(S,N,F,W,L,H) :- stop(S),
            N = #count{{ V : {seen} }}, F = #count{{ V : {seen}, V < {FEW} }}, W = #sum{{ V : {seen} }},
            L = #min{{ V : {seen} }}, H = #max{{ V : {seen} }}."""


def ranks(parameters: Parameters) -> str:
    return f"best(S,R,V) :- stop(S), (R,V) = #top{{ {BEST}; W : seen(W,S) [{parameters.window}] }}."


def lasting_crowds(parameters: Parameters) -> str:
    return f"""
        #record crowded/1.
        load(S,N) :- stop(S), N = #count{{ V : seen(V,S) [{parameters.window}] }}.
        crowded(S) :- load(S,N), N > {usual_load(parameters)}.
        lasting(S) :- always crowded(S) [{WHILE}]."""


def usual_load(parameters: Parameters) -> int:
    """About as many vehicles as a stop has in the window: half of the stops are above."""
    return parameters.rate * (parameters.window + 1) // max(1, parameters.size)


def stops(parameters: Parameters) -> list[Fact]:
    return [Fact("stop", (number,)) for number in range(parameters.size)]


def closure(parameters: Parameters) -> str:
    return f"""
        path(X,Y) :- edge(X,Y) [{parameters.window}].
        path(X,Z) :- path(X,Y), edge(Y,Z) [{parameters.window}]."""


def _numbered(predicate: str, last: int) -> list[Fact]:
    return [Fact(predicate, (number,)) for number in range(1, last + 1)]
