"""Seeded faults in the reasoners, and how many of them the random programs notice.

    python tests/mutation.py --faults 100 --seed 1 > first.txt
    python tests/mutation.py --again first.txt             only those that survived there

A fault is a small change in a function: another comparison, one more or less, a condition dropped, `min` for `max`.
Which ones are tried follows from their names, so that a change of the sources or of the programs leaves most of the
sample as it was; those that no program reaches are left out. The programs are judged once; for every fault a process
is forked, in which the code of the function is exchanged, and the reasoners concerned run the programs that reach it
until one of them differs from the judge or crashes. Those that survive that are tried on the other random tests of the
ordinary run, and counted apart (`--programs-only`: they are not). `support/equivalent_faults.py` names those that
change no answer; they are tried on the standing programs alone.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import inf
from pathlib import Path
from random import Random
from types import ModuleType

sys.path.insert(0, str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parent.parent / "src"))

import larspark.reasoners
from support.contest import contestants, entered, judged_for, verdict
from support.equivalent_faults import CHANGES_NO_ANSWER, NOT_ABOUT_ANSWERS
from support.faults import Fault, faults_in, put_in
from support.forking import forked
from support.ordinary import PROGRAMS
from support.other_random_tests import TESTS, failing, tests_of
from support.reached_faults import note_down
from support.standing import standing
from support.treatments import TREATMENTS
from support.verdicts import Judged

REASONERS = Path(larspark.reasoners.__file__).parent

SLOWER, SECONDS = 5, 30.0
"""A fault that makes everything so many times slower, and longer by so much, is noticed, too."""
DEAR = 0.5
"""A program that takes so long without a fault may be given up with one, on a busy machine, which says nothing."""

FOLDERS = {
    "interval": ("interval",),
    "clingo": ("clingo",),
    "jtms": ("jtms",),
    "answer_update": ("answer-update",),
    ".": ("clingo", "jtms", "answer-update", "interval"),
}
"""Whose answers a folder of `larspark/reasoners` takes part in."""


@dataclass(frozen=True)
class Candidate:
    """A fault, the reasoners it concerns, and the programs that reach its line."""

    fault: Fault
    names: tuple[str, ...]
    programs: tuple[int, ...]

    @property
    def told(self) -> str:
        return f"{key(self.fault)} ({len(self.programs)} programs reach it)"

    def on(self, first: int) -> Candidate:
        """The same with the first programs alone."""
        return replace(self, programs=tuple(number for number in self.programs if number < first))


Accepted = dict[tuple[int, str], tuple[str, float]]
"""Program numbers and reasoners for which all is well without a fault: they agree or refuse, in so many seconds."""


def all_faults() -> list[Fault]:
    """What could be tried, apart from what is not about answers."""
    files = {str(file.relative_to(REASONERS)): file for file in sorted(REASONERS.rglob("*.py"))}
    return [
        fault
        for name, file in files.items()
        if name not in NOT_ABOUT_ANSWERS
        for fault in faults_in(file)
        if f"{name}::{fault.qualname}" not in NOT_ABOUT_ANSWERS
    ]


def key(fault: Fault) -> str:
    """Its name, which does not change with what stands elsewhere in the file."""
    return f"{fault.file.relative_to(REASONERS)}::{fault.qualname}: {fault.change} in {fault.text}"


def folder(fault: Fault) -> str:
    name = fault.file.relative_to(REASONERS)
    return name.parts[0] if len(name.parts) > 1 else "."


def concerned(fault: Fault) -> tuple[str, ...]:
    return FOLDERS[folder(fault)]


def judge_all(seed: int, share: float, ways: Sequence[str]) -> tuple[list[tuple[str, Judged]], int]:
    """The programs with the answers of the judge: those that stand, then the random ones; how many of them stand."""
    always = [(evaluate, judged_for(evaluate, scenario)) for evaluate in ways for scenario in standing(evaluate)]
    judged = [
        (evaluate, judged_for(evaluate, scenario))
        for evaluate in ways
        for _, scenario in islice(entered(evaluate, seed), int(PROGRAMS[evaluate] * share))
    ]
    Random(seed).shuffle(judged)
    return always + judged, len(always)


def noticed(candidate: Candidate, programs: list[tuple[str, Judged]], accepted: Accepted, patience: float) -> str:
    """By what a fault is noticed, or nothing: not by programs that take longer than `patience` without it."""
    started, usual = time.process_time(), 0.0
    for number in candidate.programs:
        evaluate, judged = programs[number]
        for name in contestants(evaluate, "all"):
            if (number, name) not in accepted or at_work(evaluate, name).isdisjoint(candidate.names):
                continue
            expected, seconds = accepted[number, name]
            if seconds > DEAR:
                continue
            outcome = verdict(evaluate, name, judged)
            if outcome.kind != expected:
                return f"{name} {outcome.kind} {evaluate} after {number + 1} programs"
            usual += seconds
        if usual > patience:
            break
        if time.process_time() - started > SLOWER * usual + SECONDS:
            return f"takes too long, {number + 1} programs"
    return ""


def at_work(evaluate: str, contestant: str) -> set[str]:
    """Who is at work in a treatment; in partitions clingo where a stage chooses."""
    found = TREATMENTS[evaluate][0] if evaluate in TREATMENTS else contestant
    return {"interval", "clingo"} if found == "spark" else {found}


def agreeing(programs: list[tuple[str, Judged]], faults: Sequence[Fault]) -> tuple[Accepted, dict[int, list[int]]]:
    """What goes well without a fault, and which programs reach the fault of each number."""
    accepted: Accepted = {}
    names = {name for fault in faults for name in concerned(fault)}
    reaching: dict[int, list[int]] = defaultdict(list)
    reached = note_down(dict(enumerate(faults)), module_of)
    for number, (evaluate, judged) in enumerate(programs):
        reached.clear()
        for name in contestants(evaluate, "all"):
            if at_work(evaluate, name).isdisjoint(names):
                continue
            started = time.process_time()
            kind = verdict(evaluate, name, judged).kind
            if kind in ("agrees", "refused"):
                accepted[number, name] = kind, time.process_time() - started
        for fault in reached:
            reaching[fault].append(number)
    return accepted, reaching


def module_of(fault: Fault) -> ModuleType:
    parts = ("larspark", "reasoners", *fault.file.relative_to(REASONERS).with_suffix("").parts)
    return importlib.import_module(".".join(part for part in parts if part != "__init__"))


def put(fault: Fault) -> bool:
    """Into this process; False if the function is not a plain one."""
    return put_in(fault, module_of(fault))


def tried(candidate: Candidate, programs: list[tuple[str, Judged]], accepted: Accepted, patience: float) -> str:
    """What the programs say about the fault."""
    return said_by_fork(
        lambda: (
            noticed(candidate, programs, accepted, patience) or "survives" if put(candidate.fault) else "not a function"
        )
    )


def tried_elsewhere(candidate: Candidate) -> str:
    """The other random test that fails with the fault, and passes without it; or that it survives."""
    tests, left_out = tests_of(candidate.names), list[str]()
    while True:
        found = said_by_fork(lambda: (put(candidate.fault) and failing(tests, left_out)) or "survives")
        if found == "survives" or found.startswith("crashes"):  # the run of tests itself: that says nothing
            return "survives"
        alone = str(TESTS.parent / found)
        if said_by_fork(lambda alone=alone: failing([alone]) or "passes") == "passes":  # type: ignore[misc]
            return f"another random test: {found}"
        left_out.append(found)


def said_by_fork(run: Callable[[], str]) -> str:
    """What a forked process says."""
    return forked(run, lambda error: "crashes the process" if error is None else f"crashes {type(error).__name__}")


def survivors(report: Path) -> set[str]:
    """The names of the faults that survive in what an earlier run has printed."""
    lines = (line.partition("survives: ") for line in report.read_text().splitlines())
    return {told.rpartition(" (")[0] for before, found, told in lines if found and not before}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faults", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=float, default=1.0, help="of the programs")
    parser.add_argument("--skip", type=int, default=0, help="so many of the faults of this seed")
    parser.add_argument("--only", action="append", choices=FOLDERS, help="faults of this folder (repeatable)")
    parser.add_argument("--way", action="append", choices=PROGRAMS, help="programs evaluated in this way (repeatable)")
    parser.add_argument("--patience", type=float, default=inf, help="seconds of computing for a fault that survives")
    parser.add_argument("--programs-only", action="store_true", help="without the other random tests")
    parser.add_argument("--again", type=Path, help="only the faults that survive in this report")
    arguments = parser.parse_args()
    faults = [fault for fault in all_faults() if folder(fault) in (arguments.only or FOLDERS)]
    if arguments.again:
        wanted = survivors(arguments.again)
        drawn = [fault for fault in faults if key(fault) in wanted]
    else:
        drawn = sorted(faults, key=lambda one: Random(f"{arguments.seed}:{key(one)}").random())
        drawn = drawn[arguments.skip :][: arguments.faults]
    programs, always = judge_all(arguments.seed, arguments.share, arguments.way or list(PROGRAMS))
    accepted, reaching = agreeing(programs, drawn)
    chosen = [
        Candidate(drawn[number], concerned(drawn[number]), tuple(reaching[number])) for number in sorted(reaching)
    ]
    told = f"{len(programs)} programs, {always} of them standing, {len(accepted)} comparisons"
    print(f"{told}; {len(chosen)} of {len(drawn)} faults are reached", flush=True)
    counts: Counter[str] = Counter()
    left: list[Candidate] = []
    for candidate in chosen:
        listed = key(candidate.fault) in CHANGES_NO_ANSWER
        said = tried(candidate.on(always) if listed else candidate, programs, accepted, arguments.patience)
        kind = {"survives": "survives", "not a function": "left out"}.get(said, "noticed")
        if listed:
            kind, said = ("changes no answer",) * 2 if kind == "survives" else (kind, f"{said}, against the list")
        if kind == "survives":
            left.append(candidate)
        else:
            counts[kind] += 1
        print(f"{said}: {candidate.told}", flush=True)
    for candidate in left:
        said = "survives" if arguments.programs_only else tried_elsewhere(candidate)
        counts["survives" if said == "survives" else "noticed by others"] += 1
        if not arguments.programs_only:
            print(f"at last {said}: {candidate.told}", flush=True)
    told = ", ".join(f"{number} {kind}" for kind, number in sorted(counts.items()))
    some, others = counts["noticed"], counts["noticed by others"]
    able = max(1, some + others + counts["survives"])
    print(f"{told}: {some / able:.1%} noticed by the programs, {(some + others) / able:.1%} by all")
    return 0


if __name__ == "__main__":
    sys.exit(main())
