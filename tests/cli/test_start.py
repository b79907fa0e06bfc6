"""What commands load."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import pytest

from larspark.loading import without_collector

EXAMPLE = Path(__file__).parents[2] / "examples" / "machines"


@pytest.mark.parametrize(
    "words",
    [
        ["eval", f"{EXAMPLE}.lars", "--stream", f"{EXAMPLE}.jsonl"],
        ["tick", "-p", f"{EXAMPLE}.lars", "-i", f"{EXAMPLE}.jsonl"],
    ],
    ids=["eval", "tick"],
)
def test_evaluation_does_not_load_pandas(words: list[str]) -> None:
    """pyarrow would with its first array."""
    script = (
        f"import sys; sys.argv[1:] = {words!r}; from larspark.cli.main import main; "
        "status = main(); print('pandas' in sys.modules, file=sys.stderr); sys.exit(status)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True)
    assert done.stderr.splitlines()[-1] == "False"


def test_what_is_made_while_the_collector_rests_is_young() -> None:
    """In the oldest generation it would hardly ever be looked at again: engines that are dropped would stay."""
    with without_collector():
        made: list[object] = []
    assert any(one is made for generation in (0, 1) for one in gc.get_objects(generation))
