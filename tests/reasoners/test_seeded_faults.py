"""The lists of seeded faults that change no answer speak of code that is there."""

from __future__ import annotations

from pathlib import Path

import larspark.reasoners
from support.equivalent_faults import CHANGES_NO_ANSWER, NOT_ABOUT_ANSWERS
from support.faults import faults_in

REASONERS = Path(larspark.reasoners.__file__).parent


def test_what_is_listed_exists() -> None:
    files = {str(file.relative_to(REASONERS)): file for file in REASONERS.rglob("*.py")}
    faults = [(name, fault) for name, file in files.items() for fault in faults_in(file)]
    assert NOT_ABOUT_ANSWERS.keys() <= files.keys() | {f"{name}::{fault.qualname}" for name, fault in faults}
    assert CHANGES_NO_ANSWER.keys() <= {
        f"{name}::{fault.qualname}: {fault.change} in {fault.text}" for name, fault in faults
    }
