"""Many random programs: every reasoner beside the judge, in pieces that can be continued.

    python tests/exhaustive.py --evaluate points --programs 100000 --seed 1 --piece 1/10 --log points.jsonl

A piece goes on until every reasoner has been compared on its share of the programs. The log of a piece has one line
per block of programs (what was counted, seconds of computing, on which sources), and before it one per difference (the
shrunk case). Blocks that it has are not done again, but for those with a difference by `--again`, when that has been
mended. `--summary` adds the logs up, of every block the last run. With `--directive hold` (or
`record`) only programs with this directive count.
"""

from __future__ import annotations

import argparse
import faulthandler
import gc
import json
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parent.parent / "src"))

from larspark.language.tree import Hold, Program, Record
from support.contest import contestants, difference, fault, judged_for, verdict
from support.evaluations import WAYS
from support.shrinking import TRIES
from support.strategies import numbered
from support.treatments import TREATMENTS

BLOCK = 250
"""Programs per line of the log."""
SHRUNK = 12
"""So many cases of one fault are made small."""
ENDLESS = 600.0
"""Seconds of computing after which a program counts as one that never ends, and the run ends with a traceback."""
APART = 10_000_000
"""Numbers of programs from one piece to the next."""
DIRECTIVES = {"hold": Hold, "record": Record}


@dataclass(frozen=True)
class Block:
    """What happened to some programs, by reasoner or treatment."""

    evaluate: str
    seed: int
    first: int
    last: int
    seconds: float
    counts: dict[str, dict[str, int]]
    sources: str
    """The commit, with a + if something was changed."""


def wanted(program: Program, directive: str | None) -> bool:
    return directive is None or any(isinstance(one, DIRECTIVES[directive]) for one in program.directives)


def run_block(
    evaluate: str,
    names: Sequence[str],
    seed: int,
    first: int,
    log: Path | None,
    met: Counter[tuple[str, str]],
    directive: str | None = None,
) -> Block:
    """Some programs, with a line of the log; `met`: how often a fault has been seen, whose first cases are shrunk."""
    started = time.process_time()
    counts: dict[str, Counter[str]] = {name: Counter() for name in ("judge", *names)}
    for number in range(first, first + BLOCK):
        signal.setitimer(signal.ITIMER_VIRTUAL, ENDLESS)
        scenario = numbered(seed, number)
        if not wanted(scenario.program, directive):
            counts["judge"]["left out"] += 1
            continue
        judged = judged_for(evaluate, scenario)
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
    seconds = round(time.process_time() - started, 1)
    told = {name: dict(found) for name, found in counts.items()}
    block = Block(evaluate, seed, first, first + BLOCK - 1, seconds, told, sources())
    _append(log, asdict(block))
    return block


@cache
def sources() -> str:
    """Looked up when the first block is done; what has been imported before does not change."""
    git = ("git", "-C", str(Path(__file__).parent))
    commit = subprocess.check_output([*git, "rev-parse", "--short", "HEAD"], text=True).strip()
    changed = subprocess.check_output([*git, "status", "--porcelain", "-uno"], text=True).strip()
    return f"{commit}+" if changed else commit


def _append(log: Path | None, entry: dict[str, object]) -> None:
    text = json.dumps(entry, ensure_ascii=False)
    if log is None:
        print(text, flush=True)
        return
    with log.open("a") as file:
        file.write(text + "\n")


def entries(logs: Iterable[Path]) -> list[dict[str, Any]]:
    """The lines of the logs; of a block that was run again only the last run, with its differences."""
    kept: dict[object, list[dict[str, Any]]] = {}
    for log in logs:
        lines: list[dict[str, Any]] = []
        for line in log.read_text().splitlines() if log.exists() else ():
            lines.append(json.loads(line))
            if "counts" in lines[-1]:
                kept[lines[-1]["evaluate"], lines[-1]["seed"], lines[-1]["first"]] = lines
                lines = []
        kept[log] = lines  # of a block that has not ended
    return [line for lines in kept.values() for line in lines]


def compared(counts: dict[str, int]) -> int:
    return sum(counts.get(kind, 0) for kind in ("agrees", "differs", "crashes"))


def totals(blocks: Iterable[dict[str, Any]]) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    for block in blocks:
        for name, counts in block["counts"].items():
            found.setdefault(name, Counter()).update(counts)
    return found


def run(arguments: argparse.Namespace) -> int:
    faulthandler.register(signal.SIGVTALRM, chain=True)  # and then it ends, even where compiled code does not return
    gc.freeze()  # what is there now stays; looking through it again and again costs a tenth of the time
    piece, pieces = map(int, arguments.piece.split("/"))
    share = -(-arguments.programs // pieces)
    names = contestants(arguments.evaluate, arguments.reasoner)
    done = [
        entry
        for entry in entries([arguments.log] if arguments.log else [])
        if entry.get("evaluate") == arguments.evaluate and entry.get("seed") == arguments.seed and "counts" in entry
    ]
    mine = [entry for entry in done if entry["first"] // APART == piece]
    if arguments.again:
        left = [block for block in mine if wrong(block["counts"]) and again(block, arguments.log, arguments.directive)]
        return 1 if left else 0
    first = max((entry["last"] + 1 for entry in mine), default=piece * APART)
    so_far = totals(mine)
    met: Counter[tuple[str, str]] = Counter()
    while pending := [name for name in names if compared(so_far.get(name, {})) < share]:
        block = run_block(arguments.evaluate, pending, arguments.seed, first, arguments.log, met, arguments.directive)
        for name, counts in block.counts.items():
            so_far.setdefault(name, Counter()).update(counts)
        first = block.last + 1
        print(f"{first - piece * APART} programs, {block.seconds} s: {told(so_far)}", flush=True)
    return 1 if wrong(so_far) else 0


def again(block: dict[str, Any], log: Path | None, directive: str | None) -> bool:
    """Whether something is still wrong in a block; the same programs, for those who were compared."""
    names = [name for name in block["counts"] if name != "judge"]
    found = run_block(block["evaluate"], names, block["seed"], block["first"], log, Counter(), directive)
    print(f"{found.first} to {found.last}: {told(totals([asdict(found)]))}", flush=True)
    return wrong(found.counts)


def wrong(counts: Mapping[str, Mapping[str, int]]) -> bool:
    return any(found.get("differs") or found.get("crashes") for found in counts.values())


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
        commits = Counter(block.get("sources", "?") for block in own)
        ran_on = ", ".join(f"{commit} ({number} blocks)" for commit, number in commits.items())
        print(f"{evaluate}: {programs} programs, seeds {seeds}, {hours:.2f} h, on {ran_on}")
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
    parser.add_argument("--directive", choices=[*DIRECTIVES], help="only programs with it; a log of its own")
    parser.add_argument("--log", type=Path)
    parser.add_argument("--again", action="store_true", help="only the blocks of the piece that had a difference")
    parser.add_argument("--summary", type=Path, nargs="+", help="add up these logs instead")
    arguments = parser.parse_args()
    if arguments.summary:
        summarise(arguments.summary)
        return 0
    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
