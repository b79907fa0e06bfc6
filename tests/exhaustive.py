"""Many random programs: every reasoner beside the judge, in pieces that can be continued.

    python tests/exhaustive.py --evaluate points --programs 100000 --seed 1 --piece 1/10 --log points.jsonl

A piece goes on until every reasoner has been compared on its share of the programs. The log has one line per block of
programs (what was counted, how long it took) and one per difference (the shrunk case); blocks that it has are not done
again. `--summary` adds the logs up.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parent.parent / "src"))

from support.contest import contestants, difference, fault, judged_for, verdict
from support.evaluations import WAYS
from support.shrinking import TRIES
from support.strategies import numbered
from support.treatments import TREATMENTS

BLOCK = 250
"""Programs per line of the log."""
SHRUNK = 12
"""So many cases of one fault are made small."""
APART = 10_000_000
"""Numbers of programs from one piece to the next."""


@dataclass(frozen=True)
class Block:
    """What happened to some programs, by reasoner or treatment."""

    evaluate: str
    seed: int
    first: int
    last: int
    seconds: float
    counts: dict[str, dict[str, int]]


def run_block(
    evaluate: str, names: Sequence[str], seed: int, first: int, log: Path | None, met: Counter[tuple[str, str]]
) -> Block:
    """`met`: how often a fault has been seen; the first cases of each are shrunk."""
    started = time.monotonic()
    counts: dict[str, Counter[str]] = {name: Counter() for name in ("judge", *names)}
    for number in range(first, first + BLOCK):
        judged = judged_for(evaluate, numbered(seed, number))
        counts["judge"][judged.refused or "judged"] += 1
        counts["judge"]["conclusive"] += judged.conclusive
        for name in names:
            outcome = verdict(evaluate, name, judged)
            counts[name][outcome.kind] += 1
            if outcome.kind == "refused":
                counts[name][f"refused {outcome.detail}"] += 1
            if outcome.kind == "agrees" and judged.conclusive:
                counts[name]["agrees on conclusions"] += 1
            if outcome.wrong:
                met[name, fault(outcome)] += 1
                tries = TRIES if met[name, fault(outcome)] <= SHRUNK else 0
                _append(log, difference(evaluate, name, seed, number, outcome, tries))
    seconds = round(time.monotonic() - started, 1)
    return Block(
        evaluate, seed, first, first + BLOCK - 1, seconds, {name: dict(found) for name, found in counts.items()}
    )


def _append(log: Path | None, entry: dict[str, object]) -> None:
    text = json.dumps(entry, ensure_ascii=False)
    if log is None:
        print(text, flush=True)
        return
    with log.open("a") as file:
        file.write(text + "\n")


def entries(logs: Iterable[Path]) -> list[dict[str, Any]]:
    return [json.loads(line) for log in logs if log.exists() for line in log.read_text().splitlines()]


def compared(counts: dict[str, int]) -> int:
    return sum(counts.get(kind, 0) for kind in ("agrees", "differs", "crashes"))


def totals(blocks: Iterable[dict[str, Any]]) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    for block in blocks:
        for name, counts in block["counts"].items():
            found.setdefault(name, Counter()).update(counts)
    return found


def run(arguments: argparse.Namespace) -> int:
    gc.freeze()  # what is there now stays; looking through it again and again costs a tenth of the time
    piece, pieces = map(int, arguments.piece.split("/"))
    wanted = -(-arguments.programs // pieces)
    names = contestants(arguments.evaluate, arguments.reasoner)
    done = [
        entry
        for entry in entries([arguments.log] if arguments.log else [])
        if entry.get("evaluate") == arguments.evaluate and entry.get("seed") == arguments.seed and "counts" in entry
    ]
    mine = [entry for entry in done if entry["first"] // APART == piece]
    first = max((entry["last"] + 1 for entry in mine), default=piece * APART)
    so_far = totals(mine)
    met: Counter[tuple[str, str]] = Counter()
    while pending := [name for name in names if compared(so_far.get(name, {})) < wanted]:
        block = run_block(arguments.evaluate, pending, arguments.seed, first, arguments.log, met)
        _append(arguments.log, asdict(block))
        for name, counts in block.counts.items():
            so_far.setdefault(name, Counter()).update(counts)
        first = block.last + 1
        print(f"{first - piece * APART} programs, {block.seconds} s: {told(so_far)}", flush=True)
    return 1 if any(counts["differs"] or counts["crashes"] for counts in so_far.values()) else 0


def told(counts: dict[str, Counter[str]]) -> str:
    return "; ".join(
        f"{name} {', '.join(f'{kind} {number}' for kind, number in sorted(found.items()) if ' E' not in kind)}"
        for name, found in counts.items()
    )


def summarise(logs: list[Path]) -> None:
    """Per way of evaluation: programs, hours, and what became of them."""
    found = entries(logs)
    blocks = [entry for entry in found if "counts" in entry]
    for evaluate in sorted({block["evaluate"] for block in blocks}):
        own = [block for block in blocks if block["evaluate"] == evaluate]
        programs = sum(block["last"] - block["first"] + 1 for block in own)
        hours = sum(block["seconds"] for block in own) / 3600
        seeds = sorted({block["seed"] for block in own})
        print(f"{evaluate}: {programs} programs, seeds {seeds}, {hours:.2f} h")
        for name, counts in totals(own).items():
            print(f"  {name}: {', '.join(f'{kind} {number}' for kind, number in sorted(counts.items()))}")
    for entry in found:
        if "difference" in entry:
            program = f"{entry['evaluate']} {entry['seed']}:{entry['number']}"
            print(f"{entry['difference']} {entry['kind']} {entry['fault']} ({program})")
            print(f"{entry['case'].strip()}\n{entry['detail'].strip().splitlines()[-1]}\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reasoner", default="all", help="names with commas between, or all")
    parser.add_argument("--evaluate", default="points", choices=[*WAYS, *TREATMENTS])
    parser.add_argument("--programs", type=int, default=1000, help="per reasoner that takes them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--piece", default="1/1", help="k/n: the k-th of n pieces")
    parser.add_argument("--log", type=Path)
    parser.add_argument("--summary", type=Path, nargs="+", help="add up these logs instead")
    arguments = parser.parse_args()
    if arguments.summary:
        summarise(arguments.summary)
        return 0
    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
