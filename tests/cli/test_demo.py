from __future__ import annotations

import pytest

from larspark.cli.demonstrations.demo_data import PARKS, TURBINES_PER_PARK, write_turbines
from larspark.cli.options.example_files import EXAMPLES
from larspark.language.facts import Signature
from larspark.read import read_background


@pytest.mark.parametrize("example", sorted(path.stem for path in EXAMPLES.glob("*.jsonl")))
def test_every_example_is_evaluated_and_drawn(larspark, example):
    outcome = larspark("demo", example)
    assert outcome.status == 0
    assert "●" in outcome.out
    assert "█" in outcome.out


def test_an_unknown_example_names_the_others(larspark):
    outcome = larspark("demo", "nothing")
    assert outcome.status == 1
    assert "transport" in outcome.err


def test_the_pipeline_has_all_of_its_background(tmp_path):
    write_turbines(tmp_path)
    assert len(read_background(tmp_path / "turbines.csv", Signature("turbine", 2))) == PARKS * TURBINES_PER_PARK
