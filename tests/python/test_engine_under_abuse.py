"""Valid and invalid calls of `Engine` in any order: a refused call says why, and changes nothing."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from larspark import Engine
from larspark.diagnostics import Rejected
from larspark.language.facts import Fact
from larspark.reasoners.registry import REASONERS

PROGRAMS = {
    "windows": """alarm(M) :- always hot(M) [1], not seen(_) [2]. last(M) :- hot(M) [1 # per M].
                  @(T+1) late(M) :- @T hot(M) [2].""",
    "both": "#input alarm/1. alarm(M) :- hot(M) [3]. known(M) :- alarm(M) [2 #].",
    "recorded": "#record seen_once/1. seen_once(M) :- hot(M). old(M) :- seen_once(M) [5], not hot(M).",
    "constraint": "alarm(M) :- hot(M) [1]. :- alarm(M), seen(M).",
    "pinned": "@M due :- hot(M) [1]. near(M) :- hot(M), due [2, +3].",
    "computed": "next(M+1) :- hot(M) [2]. sooner(T-1) :- @T hot(_) [1].",
}
START = 3

good_atoms: st.SearchStrategy[Any] = st.sampled_from(
    [
        Fact("hot", (1,)),
        Fact("hot", ("m",)),
        "hot(m)",
        "seen(1)",
        Fact("seen", (Decimal("1.5"),)),
        Fact("hot", (2**70,)),
        Fact("unknown", ()),
        "unknown(x, y)",
    ]
)
bad_atoms: st.SearchStrategy[Any] = st.sampled_from(
    [
        Fact("hot", (None,)),  # type: ignore[arg-type]
        Fact("hot", (float("nan"),)),  # type: ignore[arg-type]
        Fact("hot", (float("inf"),)),  # type: ignore[arg-type]
        Fact("hot", (Decimal("NaN"),)),
        Fact("hot", ([1],)),  # type: ignore[arg-type]
        Fact("hot", (b"m",)),  # type: ignore[arg-type]
        Fact("hot", (object(),)),  # type: ignore[arg-type]
        Fact("hot", ()),
        Fact("hot", (1, 2)),
        Fact("last", (1,)),
        Fact(1, (1,)),  # type: ignore[arg-type]
        "hot(",
        "hot(X)",
        "",
        "hot(1) :- seen(1)",
        None,
        42,
        ("hot",),
        b"hot(m)",
    ]
)
bad_times: st.SearchStrategy[Any] = st.sampled_from(
    [-1, START - 1, 2.5, "7", None, [8], float("nan"), 2**60, 2**63, 2**80, -(2**63), object()]
)
lists_of_atoms = st.lists(good_atoms, max_size=3)
spoilt_lists = st.tuples(lists_of_atoms, bad_atoms, lists_of_atoms).map(lambda parts: [*parts[0], parts[1], *parts[2]])
calls = st.one_of(
    st.tuples(st.integers(0, 2), lists_of_atoms),
    st.tuples(st.integers(0, 2), lists_of_atoms),
    st.tuples(st.integers(0, 2), spoilt_lists | st.sampled_from([None, 7, "hot(m)", "xy"])),
    st.tuples(bad_times.map(lambda time: (time,)), lists_of_atoms),
    st.tuples(st.just((-1,)), lists_of_atoms),
)
"""Time points ahead, or a wrong time in a tuple; and what arrives."""


@pytest.mark.parametrize("reasoner", REASONERS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_refused_call_changes_nothing(program: str, reasoner: str) -> None:
    @settings(max_examples=15, suppress_health_check=list(HealthCheck))
    @given(st.lists(calls, max_size=12))
    def check(drawn: list[tuple[Any, Any]]) -> None:
        spoilt, clean = (Engine(PROGRAMS[program], reasoner, start=START) for _ in range(2))
        now = START
        for ahead, atoms in drawn:
            time = ahead[0] if isinstance(ahead, tuple) else now + ahead
            try:
                change = spoilt.advance(time, atoms)
            except Rejected:
                change = None
            if change is not None:
                now = int(time)  # a text such as "7" is read as it is in records
                assert change == clean.advance(time, atoms)
            assert spoilt.answer(None) == clean.answer(None)

    check()
