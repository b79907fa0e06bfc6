"""Which conformance cases run where, and why some do not.

A case is run if a test module asks for its kind (`cases("window", …)`) or names it by its id. Every other case is
listed here with a reason. `tests/README.md` shows the table, and
`PYTHONPATH=src:tests python -m conformance.case_table` writes it there.
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

RUN_BY = {
    "thesis-thm16": "translations/test_ltl_random.py",
    "thesis-thm17": "translations/test_cql_random.py",
    "thesis-thm18": "translations/test_etalis_random.py",
    "thesis-lem15": "translations/test_etalis_random.py",
    "thesis-lem20": "translations/test_etalis_random.py",
    "thesis-thm26": "reasoners/clingo/test_clingo_judged.py",
    "thesis-lem2": "equivalence/test_characterisations.py",
    "thesis-prop3": "equivalence/test_bi_lars_laws.py",
    "thesis-lem3-4": "equivalence/test_bi_lars_laws.py",
    "thesis-prop4": "equivalence/test_characterisations.py",
    "thesis-thm19": "equivalence/test_characterisations.py",
    "thesis-thm20": "equivalence/test_characterisations.py",
    "thesis-lem6": "equivalence/test_bi_lars_laws.py",
    "thesis-thm21": "equivalence/test_search.py",
    "thesis-thm22": "equivalence/test_characterisations.py",
    "thesis-prop5": "equivalence/test_characterisations.py",
}
"""Properties that a whole module of random tests is about."""

RUN_FILES = {"papers/hypothetical": "hypothetical/test_conformance.py"}
"""Files of which one module runs all kinds."""

LISTED = {
    "thesis-or-missing": "a clause that the definition lacks; docs/equivalence.md says how we read it",
    "thesis-cor5": "data equivalence is decided by its definition here, not through relativised uniform equivalence",
    "thesis-cor6": "recursive window semantics is not implemented, there is one semantics of windows",
    "thesis-prop6": "a reduction between two notions that are both decided directly",
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
            or (RUN_FILES.get(case.file) == name and case.kind not in NOT_TESTABLE)
        ]
        for case in all_cases()
    }


def reason(case: Case) -> str | None:
    """Why a case need not be run."""
    return LISTED.get(case.id) or NOT_TESTABLE.get(case.kind)


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
    lines += ["Not run:", ""]
    lines += [f"- `{case.id}`: {LISTED[case.id]}" for case in all_cases() if not running[case.id] and case.id in LISTED]
    lines += [f"- all of kind {kind}: {why}" for kind, why in NOT_TESTABLE.items()]
    return "\n".join(lines)


README = TESTS / "README.md"
START, END = "<!-- conformance: start -->\n", "<!-- conformance: end -->\n"


def readme_with_table() -> str:
    """The page with the table as it should be now."""
    before, rest = README.read_text(encoding="utf-8").split(START)
    _, after = rest.split(END)
    return f"{before}{START}\n{table()}\n\n{END}{after}"


if __name__ == "__main__":
    README.write_text(readme_with_table(), encoding="utf-8")
