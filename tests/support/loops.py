"""Random programs made of loops through negation: even ones choose, odd ones have no answer stream while they run."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from hypothesis import strategies as st

from larspark.language.parser import parse_program
from support.random_programs import Scenario, random_stream

TRIGGERS = ("a [{n}]", "e(1) [{n}]", "not b [{n}]", "a [2 #]", "always e(x) [{n}]", "f(X,X) [{n}]", "a")


def looping() -> st.SearchStrategy[Scenario]:
    """One to three loops over common or separate triggers, with rules and constraints upon them."""
    return st.integers(0, 2**48).map(lambda seed: _scenario(Random(seed)))


def _scenario(random: Random) -> Scenario:
    loops = [f"p{number}" for number in range(random.randint(1, 3))]
    rules = [rule for name in loops for rule in _loop(random, name)]
    rules.append(f"w :- {random.choice(loops)}_0 [{random.randint(0, 3)}], not {random.choice(loops)}_0.")
    if random.random() < 0.5:
        rules.append(
            f":- {random.choice(loops)}_0, {random.choice(('', 'not '))}{random.choice(loops)}_0, {_trigger(random)}."
        )
    return Scenario(parse_program("\n".join(rules)), random_stream(random, random.choice((0, 3))), ())


def _loop(random: Random, name: str) -> Iterator[str]:
    """`x_0 :- …, not x_1. x_1 :- …, not x_2. … x_n :- …, not x_0.`; one trigger for all or one for each."""
    length = random.choice((1, 2, 2, 3, 4, 4))
    common = _trigger(random) if random.random() < 0.7 else None
    for place in range(length):
        yield f"{name}_{place} :- {common or _trigger(random)}, not {name}_{(place + 1) % length}."


def _trigger(random: Random) -> str:
    return random.choice(TRIGGERS).format(n=random.randint(0, 4))
