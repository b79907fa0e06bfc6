"""Many random programs: every answer has a proof that the judge accepts, lives and repairs are right.

    python tests/explanations.py --kind stratified --programs 1000 --seed 1 --piece 1/4 --log stratified.jsonl

A program counts when at least one of its answers was explained. The log has a line per block and per fault; blocks
that it has are not done again. `--summary LOG …` adds logs up.
"""

from __future__ import annotations

import argparse
import json
import sys
import traceback
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parent.parent / "src"))

from larspark.diagnostics import Rejected
from larspark.language.printing.printer import show
from support.explained import random_case
from support.explained_checks import Wrong, checked
from support.random_programs import random_scenario
from support.remembered import remembered_evaluations
from support.strategies import ARRIVING, CHOICES, DISJUNCTIVE, STRATIFIED, WIDE_CHOICES
from support.verdicts import TooDear, bounded

BLOCK = 20
SECONDS = 8.0
"""How long one program may take until it is put aside, and counted."""
SHAPES = {"stratified": [STRATIFIED, ARRIVING], "choices": [CHOICES, DISJUNCTIVE, WIDE_CHOICES]}


def run_block(kind: str, seed: int, block: int) -> tuple[Counter[str], list[dict[str, Any]]]:
    counts: Counter[str] = Counter()
    faults: list[dict[str, Any]] = []
    for number in range(block * BLOCK, (block + 1) * BLOCK):
        random = Random(f"{kind}:{seed}:{number}")
        scenario = random_scenario(random, random.choice(SHAPES[kind]))
        case = random_case(scenario, "interval" if kind == "stratified" else "reference")
        if case is None:
            counts["refused"] += 1
            continue
        try:
            with bounded(SECONDS), remembered_evaluations():
                found = checked(case, list(scenario.times[:: max(1, len(scenario.times) // 3)]))
        except TooDear:
            counts["too long"] += 1
        except Rejected as rejected:
            counts[f"too much {rejected.diagnostics[0].code}"] += 1
        except Wrong as wrong:
            faults.append({"fault": str(wrong), "number": number, "program": show(scenario.program)})
        except Exception:  # a failure of Python is a fault like others
            told = traceback.format_exc(limit=-6)
            faults.append({"fault": told, "number": number, "program": show(scenario.program)})
        else:
            counts += found
            counts["programs explained" if found["proofs"] else "programs without answers"] += 1
            counts["programs with several answer streams"] += found["evaluations with several answer streams"] > 0
            counts["programs with lives"] += found["lives"] > 0
            counts["programs with repairs"] += found["repairs"] > 0
    return counts, faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", choices=tuple(SHAPES), default="stratified")
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--piece", default="1/1", metavar="K/N")
    parser.add_argument("--log", type=Path)
    parser.add_argument("--summary", nargs="+", type=Path, metavar="LOG")
    arguments = parser.parse_args()
    if arguments.summary:
        print(json.dumps(_summed(line for log in arguments.summary for line in log.read_text().splitlines())))
        return 0
    piece, pieces = map(int, arguments.piece.split("/"))
    done = _lines(arguments.log)
    known = {line["block"] for line in done if "block" in line}
    total = Counter(_summed(json.dumps(line) for line in done))
    block, faulty = piece - 1, False
    while total["programs explained"] < arguments.programs / pieces:
        if block not in known:
            counts, faults = run_block(arguments.kind, arguments.seed, block)
            total += counts
            for entry in ({"block": block, "counts": dict(counts)}, *faults):
                _write(arguments.log, entry)
            faulty = faulty or bool(faults)
        block += pieces
    print(json.dumps(dict(total)))
    return 1 if faulty or total["faults"] else 0


def _lines(log: Path | None) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text().splitlines()] if log is not None and log.exists() else []


def _summed(lines: Any) -> dict[str, int]:
    total: Counter[str] = Counter()
    for line in map(json.loads, lines):
        total.update(line.get("counts", {}))
        total["faults"] += "fault" in line
    return dict(total)


def _write(log: Path | None, entry: dict[str, Any]) -> None:
    text = json.dumps(entry, ensure_ascii=False)
    if log is None:
        print(text, flush=True)
        return
    with log.open("a") as file:
        file.write(text + "\n")


if __name__ == "__main__":
    sys.exit(main())
