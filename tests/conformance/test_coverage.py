"""Every conformance case is run or listed with a reason."""

from __future__ import annotations

from conformance.case_table import LISTED, README, readme_with_table, reason, runners
from support.vectors import all_cases


def test_every_case_is_run_or_listed() -> None:
    running = runners()
    forgotten = [(case.id, case.kind) for case in all_cases() if not running[case.id] and not reason(case)]
    assert forgotten == []


def test_nothing_is_listed_that_is_run_or_does_not_exist() -> None:
    running = runners()
    assert [case for case in LISTED if running.get(case, ["unknown"])] == []


def test_ids_are_unique() -> None:
    ids = [case.id for case in all_cases()]
    assert len(ids) == len(set(ids))


def test_the_table_in_the_readme_is_current() -> None:
    assert README.read_text(encoding="utf-8") == readme_with_table()
