"""Which conformance cases run where, and why some do not.

A case is run if a test module asks for its kind (`cases("window", …)`) or names it by its id. Every other case is
listed here with a reason. `PYTHONPATH=src:tests python -m conformance.case_table` prints the table.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from support.vectors import Case, all_cases

TESTS = Path(__file__).parent.parent

NOT_TESTABLE = {
    "benchmark": "describes a workload; its result counts are run, its times are measured by the benchmarks",
    "benchmark_table": "times measured on another machine",
    "complexity": "a table of complexity classes",
    "environment": "the machine and the competitors of a published measurement",
    "generator": "says how a published measurement fed its data",
    "note": "a misprint in a definition",
    "semantics_note": "bags instead of sets; LARS has sets",
    "table_claim": "compares published times",
}
"""Kinds without a statement a test could refute."""

AWAITED = {
    "papers/hypothetical": "hypothetical answers",
    "thesis/equivalence": "equivalence of programs",
    "thesis/laser_summary": "interval sets",
}
"""Files whose remaining kinds belong to parts that do not exist yet."""

AWAITED_PROPERTIES = {
    "equivalence of programs": (
        "thesis-lem2 thesis-prop3 thesis-lem3-4 thesis-prop4 thesis-or-missing thesis-thm19 thesis-thm20 thesis-lem6 "
        "thesis-thm21 thesis-thm22 thesis-cor5 thesis-prop5 thesis-cor6 thesis-prop6"
    ),
}

RUN_BY = {
    "thesis-thm16": "kinships/test_ltl_random.py",
    "thesis-thm17": "kinships/test_cql_random.py",
    "thesis-thm18": "kinships/test_etalis_random.py",
    "thesis-lem15": "kinships/test_etalis_random.py",
    "thesis-lem20": "kinships/test_etalis_random.py",
    "thesis-thm26": "reasoners/clingo/test_clingo_judged.py",
}
"""Properties that a whole module of random tests is about."""

LISTED = {
    "thesis-prop2": "bottom-up labelling of an evaluation base: entailment here goes top-down",
    "thesis-lem16-17": "normal forms that the translation does not use",
    "laser-ssne-scope": "says how often a conclusion may be computed, not what it is",
    "laser-thm1-scope": "figures of a random test of the printed algorithm, which is not implemented",
    "toth-code-deviations": "notes on the listings of another program",
    "exact-engine-negation": "figures of a random test; ours are in the tests of the interval reasoner",
}
"""Single cases that no test runs, with the reason."""

_ASKS = re.compile(r'\bcases\(\s*"(?P<kind>\w+)"(?:,\s*"(?P<file>[\w/]+)")?')
_IDS = re.compile(r"\b[a-z]+-[\w.-]*\w")


def modules() -> dict[str, str]:
    """The test modules with their text."""
    found = {path.relative_to(TESTS).as_posix(): path for path in sorted(TESTS.rglob("*.py"))}
    return {name: path.read_text(encoding="utf-8") for name, path in found.items() if path != Path(__file__)}


def runners() -> dict[str, list[str]]:
    """For each case the modules that run it."""
    texts = modules()
    asked = {name: {(found["kind"], found["file"]) for found in _ASKS.finditer(text)} for name, text in texts.items()}
    named = {name: set(_IDS.findall(text)) for name, text in texts.items()}
    return {
        case.id: [
            name
            for name in texts
            if {(case.kind, None), (case.kind, case.file)} & asked[name]
            or case.id in named[name]
            or RUN_BY.get(case.id) == name
        ]
        for case in all_cases()
    }


def reason(case: Case) -> str | None:
    """Why a case need not be run."""
    return LISTED.get(case.id) or NOT_TESTABLE.get(case.kind) or _awaited(case)


def _awaited(case: Case) -> str | None:
    part = AWAITED.get(case.file)
    if case.file == "thesis/properties":
        part = next((part for part, ids in AWAITED_PROPERTIES.items() if case.id in ids.split()), None)
    return part and f"waits for {part}"


def table() -> str:
    """Kind × count × who runs it, then the cases that are not run."""
    running = runners()
    counts: Counter[str] = Counter(case.kind for case in all_cases())
    lines = ["| kind | cases | run | by |", "|---|---|---|---|"]
    for kind, count in sorted(counts.items()):
        ours = [running[case.id] for case in all_cases() if case.kind == kind]
        where = ", ".join(f"`{name}`" for name in sorted({name for names in ours for name in names}))
        lines.append(f"| {kind} | {count} | {sum(map(bool, ours))} | {where} |")
    run = sum(map(bool, running.values()))
    lines += [f"| **all** | **{len(running)}** | **{run}** | |", ""]
    lines += [f"* `{case.id}` ({case.kind}): {reason(case)}" for case in all_cases() if not running[case.id]]
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
