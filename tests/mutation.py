"""Seeded faults in the reasoners, and how many of them the random programs notice.

    python tests/mutation.py --faults 100 --seed 1

A fault is a small change in a function: another comparison, one more or less, a condition dropped, `min` for `max`.
The programs are judged once; for every fault a process is forked, in which the code of the function is exchanged, and
the reasoners concerned run the programs that reach its line until one of them differs from the judge or crashes.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import time
from collections import Counter
from dataclasses import dataclass
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
    "interval/display/describe.py": "tells a person how a program runs",
    "interval/display/wording.py": "words of that",
    "interval/planning/statistics.py": "sizes of relations, for the order of joins",
    "interval/planning/planning.py": "the order of joins",
    "interval/planning/ordering.py": "the order of joins",
    "interval/sampling.py": "the order of joins",
    "answer_update/literals.py::_urgency": "the order of joins",
    "interval/lowering/binding.py::Bindings.binders": "how much of a body restricts what is asked for",
    "answer_update/grounding.py::Grounding._add": "a limit that no program of this size reaches",
    "interval/state/dictionary.py::Dictionary.encode_rows": "the quick way for small integers",
    "interval/state/dictionary.py::Dictionary.encode_all": "the quick way for values that are known",
    "interval/state/arrivals.py::Arrivals.cut": "how large parts are",
    "jtms/network.py::Network.deregister": "what is forgotten",
    "history.py::_reach": "how long what no window sees is kept",
    "registry.py": "names of reasoners",
    "protocol.py": "types",
    "jtms/increments.py": "prints the encoding",
    "jtms/annotations.py": "prints the encoding",
}
"""Files, or functions, in which a fault changes cost and no answer."""


@dataclass(frozen=True)
class Candidate:
    """A fault, the reasoners it concerns, and the programs that reach its line."""

    fault: Fault
    names: tuple[str, ...]
    programs: tuple[int, ...]


def candidates(measured: coverage.Coverage) -> list[Candidate]:
    """The faults in lines that the programs reach; `tests/reached.py` tells of the others."""
    found = []
    for file in sorted(REASONERS.rglob("*.py")):
        name = file.relative_to(REASONERS)
        if str(name) not in NOT_ABOUT_ANSWERS:
            reached = measured.get_data().contexts_by_lineno(str(file))
            names = FOLDERS[name.parts[0] if len(name.parts) > 1 else "."]
            for fault in faults_in(file):
                if f"{name}::{fault.qualname}" in NOT_ABOUT_ANSWERS:
                    continue
                programs = tuple(sorted(int(one) for one in reached.get(fault.line, ()) if one))
                if programs:
                    found.append(Candidate(fault, names, programs))
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


def noticed(candidate: Candidate, programs: list[tuple[str, Judged]], accepted: set[tuple[int, str]]) -> str:
    """By what a fault is noticed, or nothing; `accepted` are the programs that went well without it."""
    started = time.process_time()
    for number in candidate.programs:
        evaluate, judged = programs[number]
        for name in contestants(evaluate, "all"):
            concerned = TREATMENTS[evaluate][0] if evaluate in TREATMENTS else name
            if (number, name) not in accepted or concerned not in candidate.names:
                continue
            outcome = verdict(evaluate, name, judged)
            if outcome.kind != "agrees":
                return f"{name} {outcome.kind} {evaluate} after {number + 1} programs"
        if time.process_time() - started > SECONDS:
            return f"takes too long, {number + 1} programs in {SECONDS:.0f} s"
    return ""


def agreeing(programs: list[tuple[str, Judged]], measured: coverage.Coverage) -> set[tuple[int, str]]:
    """Program numbers and reasoners for which all is well without a fault; what each program reaches is measured."""
    found = set()
    for number, (evaluate, judged) in enumerate(programs):
        measured.switch_context(str(number))
        for name in contestants(evaluate, "all"):
            if verdict(evaluate, name, judged).kind == "agrees":
                found.add((number, name))
    return found


def tried(candidate: Candidate, programs: list[tuple[str, Judged]], accepted: set[tuple[int, str]]) -> str:
    """What a forked process says about the fault."""
    fault = candidate.fault
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            parts = ("larspark", "reasoners", *fault.file.relative_to(REASONERS).with_suffix("").parts)
            module = importlib.import_module(".".join(part for part in parts if part != "__init__"))
            known = put_in(fault, module)
            said = noticed(candidate, programs, accepted) or "survives" if known else "not a function"
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
    accepted = agreeing(programs, measured)
    measured.stop()
    found = candidates(measured)
    print(f"{len(programs)} programs, {len(accepted)} comparisons, {len(found)} possible faults", flush=True)
    counts: Counter[str] = Counter()
    for candidate in random.sample(found, min(arguments.faults, len(found))):
        said = tried(candidate, programs, accepted)
        counts["survives" if said == "survives" else "left out" if said == "not a function" else "noticed"] += 1
        print(f"{said}: {candidate.fault} ({len(candidate.programs)} programs reach it)", flush=True)
    share = counts["noticed"] / (counts["noticed"] + counts["survives"])
    print(f"{counts['noticed']} noticed, {counts['survives']} survive, {counts['left out']} left out: {share:.1%}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
