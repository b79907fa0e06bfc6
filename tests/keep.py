"""Programs worth keeping: what notices seeded faults that an ordinary run may miss, made small.

    python tests/keep.py --only interval --faults 300 --seed 5 --apart 77

Every fault is tried on the programs of `support/kept_programs.txt`, then on a pool of random ones, evaluated in all
ways. What notices it there is made small and kept, unless so many others would do that an ordinary run meets one.
With `--apart` the first faults of a seed are left alone, so that a sample of `mutation.py` with that seed says
something about faults for which nothing has been kept.
"""

from __future__ import annotations

import argparse
import ast
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import mutation
from support.contest import contestants, judged_for, verdict
from support.equivalent_faults import CHANGES_NO_ANSWER
from support.faults import Fault, exchange
from support.forking import forked
from support.kept import FILE, as_text, kept, written
from support.ordinary import PROGRAMS
from support.random_programs import Scenario, random_scenario
from support.reached_faults import note_down
from support.shrinking import shrink
from support.strategies import DENSE, numbered
from support.verdicts import Judged

APART = 100
SECONDS = 2.0
"""How long a fault is hunted with the pool, and how long what notices it is made smaller."""
EXPECTED = 4.0
"""So many programs of an ordinary run that notice a fault, if the pool is like them, are enough."""
TRIES = 120
DEAR = ("restored", "changed", "late", "partitions")
"""Ways that take long: fewer programs are evaluated so, and after the others."""


@dataclass(frozen=True)
class Unit:
    """A program in one way of evaluation; all is well without a fault."""

    scenario: Scenario
    evaluate: str
    contestant: str
    judged: Judged

    @property
    def wrong(self) -> bool:
        return verdict(self.evaluate, self.contestant, self.judged).kind in ("differs", "crashes", "refused")


@dataclass(frozen=True)
class Found:
    """What became of a fault."""

    kind: str
    tries: int = 0
    small: Scenario | None = None
    told: str = ""


def units_of(scenario: Scenario, names: Sequence[str]) -> Iterator[Unit]:
    judged = {evaluate: judged_for(evaluate, scenario) for evaluate in ("points", "ticks", "arrivals")}
    for evaluate in PROGRAMS:
        for contestant in contestants(evaluate, "all"):
            if not mutation.at_work(evaluate, contestant).isdisjoint(names):
                yield Unit(scenario, evaluate, contestant, judged.get(evaluate, judged["points"]))


def drawn(seed: int, number: int) -> Scenario:
    """Two of three have one rule and much to see; the others are those of an ordinary run."""
    return numbered(seed, number) if number % 3 == 2 else random_scenario(Random(f"{seed}:{number}"), DENSE)


class Hunt:
    """Faults, and the units of the pool that reach each of them."""

    def __init__(self, faults: Sequence[Fault], seed: int, programs: int) -> None:
        self.faults, self.seed = faults, seed
        self.names = sorted({name for fault in faults for name in mutation.concerned(fault)})
        self.pool: list[Unit] = []
        self.kept = [unit for scenario in kept() for unit in units_of(scenario, self.names)]
        self.new: list[Scenario] = []
        self.useful: Counter[int] = Counter()
        self.reaching: dict[int, list[int]] = defaultdict(list)
        reached = note_down(dict(enumerate(faults)), mutation.module_of)
        for number in range(programs):
            for unit in units_of(drawn(seed, number), self.names):
                reached.clear()
                if unit.evaluate in DEAR and number % 4:
                    continue
                if verdict(unit.evaluate, unit.contestant, unit.judged).kind == "agrees":
                    for fault in reached:
                        self.reaching[fault].append(len(self.pool))
                    self.pool.append(unit)
        for fault in faults:  # without the notes everything is quicker
            exchange(ast.parse(fault.file.read_text()), fault, mutation.module_of(fault))

    def hunted(self, number: int) -> Found:
        """In a process of its own: the fault stays."""
        fault = self.faults[number]
        reaching = self.reaching[number]
        if not mutation.put(fault):
            return Found("no function")
        for place, _ in self.useful.most_common():
            if self.kept[place].wrong:
                return Found("kept", told=str(place))
        for place, unit in enumerate(self.kept):
            if not self.useful[place] and unit.wrong:
                return Found("kept", told=str(place))
        Random(f"{self.seed}:{number}").shuffle(reaching)
        reaching.sort(key=lambda place: self.pool[place].evaluate in DEAR)
        started = time.process_time()
        for tries, place in enumerate(reaching, 1):
            unit = self.pool[place]
            if unit.wrong:
                expected = len(reaching) / len(self.pool) * sum(PROGRAMS.values()) / tries
                if expected > EXPECTED:
                    return Found("often", tries)
                return Found("rare", tries, smaller(unit), f"{unit.evaluate} {unit.contestant}")
            if time.process_time() - started > SECONDS:
                return Found("survives", tries)
        return Found("survives" if reaching else "not reached", len(reaching))

    def run(self) -> None:
        for number, fault in enumerate(self.faults):
            found = forked(lambda number=number: self.hunted(number), broken)  # type: ignore[misc]
            if found.kind == "kept":
                self.useful[int(found.told)] += 1
            if found.small is not None:
                self.new.append(found.small)
                self.kept += units_of(found.small, self.names)
            print(f"{found.kind} {found.tries} of {len(self.reaching[number])}: {mutation.key(fault)}", flush=True)
            if found.small is not None:
                print(as_text(found.small), flush=True)


def smaller(unit: Unit) -> Scenario:
    """A small program that is wrong in the same way of evaluation while the fault is there, which it need not reach."""
    until = time.process_time() + 4 * SECONDS
    kind = verdict(unit.evaluate, unit.contestant, unit.judged).kind

    def shows(scenario: Scenario) -> bool:
        if time.process_time() > until:
            return False
        judged = judged_for(unit.evaluate, scenario)
        return not judged.refused and verdict(unit.evaluate, unit.contestant, judged).kind == kind

    return shrink(unit.scenario, shows, TRIES)


def broken(error: BaseException | None) -> Found:
    return Found("often", told="dies" if error is None else type(error).__name__)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faults", type=int, default=300)
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=150)
    parser.add_argument("--apart", type=int, default=77)
    parser.add_argument("--write", type=Path, default=FILE, help="the kept programs and the new ones")
    parser.add_argument("--only", action="append", choices=mutation.FOLDERS)
    arguments = parser.parse_args()
    faults = [
        fault for fault in mutation.all_faults() if not arguments.only or mutation.folder(fault) in arguments.only
    ]

    def order(seed: int) -> list[Fault]:
        return sorted(faults, key=lambda one: Random(f"{seed}:{mutation.key(one)}").random())

    apart = {*map(mutation.key, order(arguments.apart)[:APART]), *CHANGES_NO_ANSWER}
    wanted = [fault for fault in order(arguments.seed) if mutation.key(fault) not in apart]
    hunt = Hunt(wanted[arguments.skip :][: arguments.faults], arguments.seed, arguments.programs)
    print(f"{len(hunt.kept)} kept, a pool of {len(hunt.pool)}", flush=True)
    hunt.run()
    arguments.write.write_text(written([*kept(), *hunt.new]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
