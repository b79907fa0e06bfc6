"""Seeded faults in the reasoners, and how many of them the random programs notice.

    python tests/mutation.py --faults 100 --seed 1

A fault is a small change in a function: another comparison, one more or less, a condition dropped, `min` for `max`.
The programs are judged once; for every fault a process is forked, in which the code of the function is exchanged, and
the reasoners concerned run the programs until one of them differs from the judge or crashes.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

import coverage

sys.path.insert(0, str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parent.parent / "src"))

import larspark.reasoners
from support.contest import contestants, judged_for, verdict
from support.faults import Fault, faults_in, put_in
from support.ordinary import PROGRAMS
from support.strategies import numbered
from support.treatments import TREATMENTS
from support.verdicts import Judged

REASONERS = Path(larspark.reasoners.__file__).parent

SECONDS = 60.0
"""A fault that makes everything so slow is noticed, too."""

FOLDERS = {
    "interval": ("interval",),
    "clingo": ("clingo",),
    "jtms": ("jtms",),
    "answer_update": ("answer-update",),
    ".": ("clingo", "jtms", "answer-update", "interval"),
}
"""Whose answers a folder of `larspark/reasoners` takes part in."""

NOT_ABOUT_ANSWERS = {
    "interval/describe.py": "tells a person how a program runs",
    "interval/wording.py": "words of that",
    "interval/statistics.py": "sizes of relations, for the order of joins",
    "interval/planning.py": "the order of joins",
    "interval/ordering.py": "the order of joins",
    "interval/sampling.py": "the order of joins",
    "registry.py": "names of reasoners",
    "protocol.py": "types",
    "jtms/increments.py": "prints the encoding",
    "jtms/annotations.py": "prints the encoding",
}
"""Files in which a fault changes no answer."""


def candidates(measured: coverage.Coverage) -> dict[str, list[Fault]]:
    """The faults in lines that the programs reach, by folder; `tests/reached.py` tells of the others."""
    found: dict[str, list[Fault]] = {folder: [] for folder in FOLDERS}
    for file in sorted(REASONERS.rglob("*.py")):
        name = file.relative_to(REASONERS)
        if str(name) not in NOT_ABOUT_ANSWERS:
            reached = set(measured.get_data().lines(str(file)) or ())
            folder = name.parts[0] if len(name.parts) > 1 else "."
            found[folder] += [fault for fault in faults_in(file) if fault.line in reached]
    return found


def judge_all(seed: int, share: float) -> list[tuple[str, Judged]]:
    """The programs with the answers of the judge, evaluated in all ways."""
    judged = [
        (evaluate, judged_for(evaluate, numbered(seed, number)))
        for evaluate, programs in PROGRAMS.items()
        if evaluate != "partitions"
        for number in range(int(programs * share))
    ]
    Random(seed).shuffle(judged)
    return judged


def noticed(names: tuple[str, ...], programs: list[tuple[str, Judged]], accepted: set[tuple[int, str]]) -> str:
    """By what a fault is noticed, or nothing; `accepted` are the programs that went well without it."""
    started = time.process_time()
    for number, (evaluate, judged) in enumerate(programs):
        for name in contestants(evaluate, "all"):
            concerned = TREATMENTS[evaluate][0] if evaluate in TREATMENTS else name
            if (number, name) not in accepted or concerned not in names:
                continue
            outcome = verdict(evaluate, name, judged)
            if outcome.kind != "agrees":
                return f"{name} {outcome.kind} {evaluate} after {number + 1} programs"
        if time.process_time() - started > SECONDS:
            return f"takes too long, {number + 1} programs in {SECONDS:.0f} s"
    return ""


def agreeing(programs: list[tuple[str, Judged]]) -> set[tuple[int, str]]:
    """Program numbers and reasoners for which all is well without a fault."""
    return {
        (number, name)
        for number, (evaluate, judged) in enumerate(programs)
        for name in contestants(evaluate, "all")
        if verdict(evaluate, name, judged).kind == "agrees"
    }


def tried(
    fault: Fault, names: tuple[str, ...], programs: list[tuple[str, Judged]], accepted: set[tuple[int, str]]
) -> str:
    """What a forked process says about the fault."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            parts = ("larspark", "reasoners", *fault.file.relative_to(REASONERS).with_suffix("").parts)
            module = importlib.import_module(".".join(part for part in parts if part != "__init__"))
            said = noticed(names, programs, accepted) or "survives" if put_in(fault, module) else "not a function"
        except BaseException as error:  # the fault may break anything
            said = f"crashes {type(error).__name__}"
        os.write(writing, said.encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        said = answer.read()
    os.waitpid(child, 0)
    return said or "crashes the process"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faults", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=float, default=1.0, help="of the programs")
    arguments = parser.parse_args()
    random = Random(arguments.seed)
    programs = judge_all(arguments.seed, arguments.share)
    measured = coverage.Coverage(include=[f"{REASONERS}/*"], data_file=None)
    measured.start()
    accepted = agreeing(programs)
    measured.stop()
    print(f"{len(programs)} programs, {len(accepted)} comparisons", flush=True)
    found = candidates(measured)
    total = sum(map(len, found.values()))
    counts: Counter[str] = Counter()
    for folder, faults in found.items():
        for fault in random.sample(faults, round(arguments.faults * len(faults) / total)):
            said = tried(fault, FOLDERS[folder], programs, accepted)
            counts["survives" if said == "survives" else "left out" if said == "not a function" else "noticed"] += 1
            print(f"{said}: {fault}", flush=True)
    share = counts["noticed"] / (counts["noticed"] + counts["survives"])
    print(f"{counts['noticed']} noticed, {counts['survives']} survive, {counts['left out']} left out: {share:.1%}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
