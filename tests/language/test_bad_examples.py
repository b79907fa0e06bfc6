"""Each `bad/NAME.lars` is rejected with exactly the rendering in `bad/NAME.txt`."""

from __future__ import annotations

from pathlib import Path

import pytest

from larspark.diagnostics import Rejected
from larspark.diagnostics.render import render_text
from larspark.language import parse_program, resolve

EXAMPLES = sorted(Path(__file__).with_name("bad").glob("*.lars"))


def rendered(example: Path) -> str:
    text = example.read_text("utf-8")
    with pytest.raises(Rejected) as caught:
        resolve(parse_program(text, example.name))
    return render_text(caught.value.diagnostics, {example.name: text})


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_the_error_is_coached(example: Path) -> None:
    assert rendered(example) == example.with_suffix(".txt").read_text("utf-8")
