"""Which lines of the reasoners the programs of an ordinary run reach.

python tests/reached.py            per package and file; --missing lists the lines
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from itertools import chain, islice
from pathlib import Path

import coverage

sys.path.insert(0, str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parent.parent / "src"))

MEASURED = coverage.Coverage(include=["*/larspark/reasoners/*"], data_file=None)
MEASURED.start()  # before the reasoners are imported, so that what stands outside of functions counts

import larspark.reasoners  # noqa: E402 - measured
from support.contest import contestants, entered, judged_for, verdict  # noqa: E402 - measured
from support.ordinary import PROGRAMS  # noqa: E402 - measured
from support.standing import standing  # noqa: E402 - measured


def run(seed: int, share: float) -> None:
    """The programs, without looking at what comes of them."""
    for evaluate, programs in PROGRAMS.items():
        random = (scenario for _, scenario in islice(entered(evaluate, seed), int(programs * share)))
        for scenario in chain(standing(evaluate), random):
            judged = judged_for(evaluate, scenario)
            for name in contestants(evaluate, "all"):
                verdict(evaluate, name, judged)


def report(*, missing: bool) -> None:
    folder = Path(larspark.reasoners.__file__).parent
    packages: dict[str, list[tuple[Path, int, list[int]]]] = defaultdict(list)
    for file in sorted(folder.rglob("*.py")):
        _, statements, _, left, _ = MEASURED.analysis2(str(file))
        if statements:
            name = file.relative_to(folder)
            packages[name.parts[0] if len(name.parts) > 1 else "shared"].append((name, len(statements), left))
    for package, files in packages.items():
        total, left = sum(count for _, count, _ in files), sum(len(lines) for *_, lines in files)
        print(f"{package}: {100 * (total - left) / total:.1f} % of {total} lines")
        for name, count, lines in files:
            if lines:
                listed = f": {', '.join(map(str, lines))}" if missing else ""
                print(f"  {name}: {100 * (count - len(lines)) / count:.0f} % of {count}{listed}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=float, default=1.0, help="of the programs of an ordinary run")
    parser.add_argument("--missing", action="store_true", help="list the lines that are not reached")
    arguments = parser.parse_args()
    run(arguments.seed, arguments.share)
    MEASURED.stop()
    report(missing=arguments.missing)


if __name__ == "__main__":
    main()
