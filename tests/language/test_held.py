"""The forms of `#hold`."""

from __future__ import annotations

import pytest

from larspark.analysis import analyse
from larspark.language import parse_program, resolve
from larspark.language.facts import Signature
from larspark.language.printing.printer import show
from larspark.language.tree import UNBOUNDED, Extent, Hold


@pytest.mark.parametrize(
    ("text", "arity", "keys", "length"),
    [
        ("#hold r(M, C) per M for 5 min.", 2, (0,), 300),
        ("#hold r(M, _) per M for 5.", 2, (0,), 5),
        ("#hold r/2 per 1 for 5.", 2, (0,), 5),
        ("#hold r/3 per 3, 1 for 5 s.", 3, (2, 0), 5),
        ("#const k = 7. #hold r(M, C) per M for k.", 2, (0,), 7),
        ("#hold r(M, C) per M.", 2, (0,), UNBOUNDED),
        ("#hold r/2 for 5.", 2, (), 5),
        ("#hold r for 5.", 0, (), 5),
    ],
)
def test_forms(text: str, arity: int, keys: tuple[int, ...], length: Extent) -> None:
    program = parse_program(text)
    assert parse_program(show(program)) == program
    (hold,) = (one for one in resolve(program).directives if isinstance(one, Hold))
    assert hold == Hold(Signature("r", arity), keys, length)


def test_a_temporal_argument_is_no_key() -> None:
    held = analyse(parse_program("#temporal r/2. #hold r/2 per 1, 2 for 5. p(X) :- r(X,T).")).held
    assert held == {Signature("r", 1): Hold(Signature("r", 1), (0,), 5)}
