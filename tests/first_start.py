"""Measures the first start from a fresh clone: `python tests/first_start.py [--without-tests] [--write]`.

Home and environment are empty, the PATH has Python and the tools of a shell. The table goes to standard output, and
with `--write` into docs/benchmarks.md. Takes an hour with all tests; the machine should have nothing else to do.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "benchmarks.md"
BORDERS = "<!-- first start: start -->\n", "<!-- first start: end -->"
EXTRAS = ("spark", "connect", "rdf", "sql", "yaml", "mqtt", "page", "notebook", "editor", "bench")
TABLE = re.compile(r": \d+ intervals")
"""The line above a table of the demo."""

ADVANCE = """
import time
from larspark import Engine
began = time.monotonic()
engine = Engine("b(X) :- a(X) [2].")
engine.advance(1, ["a(1)"])
print(time.monotonic() - began)
"""


@dataclass(frozen=True)
class Place:
    """A clone, and a home beside it in which nothing has been yet."""

    clone: Path
    home: Path

    def environment(self, **more: str) -> dict[str, str]:
        path = os.pathsep.join((str(Path(sys.base_prefix) / "bin"), "/usr/bin", "/bin"))
        network = {
            name: value
            for name, value in os.environ.items()
            if name.lower().startswith(("pip_", "http", "ssl_", "requests_"))
        }
        return {"PATH": path, "HOME": str(self.home), "LANG": "C.UTF-8", **network, **more}

    def run(self, *words: str, until: re.Pattern[str] | None = None, **more: str) -> tuple[float, float, str]:
        """Seconds until a line of the output matches, seconds until the end, and the output."""
        began, found, lines = time.monotonic(), 0.0, []
        environment = self.environment(**more)
        with subprocess.Popen(words, cwd=self.clone, env=environment, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for line in process.stdout:
                lines.append(line)
                if until and not found and until.search(line):
                    found = time.monotonic() - began
        output = "".join(lines)
        if process.returncode:
            raise SystemExit(f"{' '.join(words)} failed:\n{output}")
        return found, time.monotonic() - began, output


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--without-tests", action="store_true")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        place = Place(Path(name) / "clone", Path(name) / "home")
        place.home.mkdir()
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(place.clone)], check=True)
        measured = chain(starts(place), compiling(place), sizes(place), () if arguments.without_tests else tests(place))
        shown = f"{introduction()}| what | figure |\n|---|---|\n"
        for what, figure in measured:
            print(f"{what}: {figure}", flush=True)
            shown += f"| {what} | {figure} |\n"
    if arguments.write:
        text = PAGE.read_text()
        before, _, rest = text.partition(BORDERS[0])
        PAGE.write_text(f"{before}{BORDERS[0]}{shown}{BORDERS[1]}{rest.partition(BORDERS[1])[2]}")


def introduction() -> str:
    """How it was measured, and beside how much else."""
    load = os.getloadavg()[2]
    beside = f", beside other work (a load of {load:.1f} at the beginning)" if load > 1 else ""
    how = "Measured from a fresh clone with an empty home and environment"
    return f"{how}, on {os.cpu_count()} cores{beside}: `python tests/first_start.py --write`.\n\n"


def starts(place: Place) -> Iterator[tuple[str, str]]:
    _, seconds, _ = place.run("./run", "--version")
    yield (
        "`./run` sets itself up: everything downloaded and installed, kernels compiled beside it, Spark's classes kept",
        f"{seconds:.0f} s",
    )
    for what in ("first `./run demo` after that", "second `./run demo`"):
        first, whole, _ = place.run("./run", "demo", "--output", str(place.home / "demo"), until=TABLE)
        yield what, f"first table after {first:.1f} s, all with reports after {whole:.1f} s"
    for what, cache in (("first `advance` of a process", ""), ("the same on a machine without kernels", "empty")):
        more = {"LARSPARK_CACHE": str(place.home / cache)} if cache else {}
        _, _, output = place.run(".venv/bin/python", "-c", ADVANCE, **more)
        yield what, f"{float(output.splitlines()[-1]):.2f} s"


def compiling(place: Place) -> Iterator[tuple[str, str]]:
    before = os.times()
    _, wall, output = place.run(".venv/bin/larspark", "warm-up", "kernels", LARSPARK_CACHE=str(place.home / "compiled"))
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    size = output.partition("kernels, ")[2].partition(",")[0]
    yield "compiling all kernels, `larspark warm-up kernels`", f"{wall:.1f} s, {used:.0f} s of CPU; {size}"
    _, wall, _ = place.run(".venv/bin/larspark", "warm-up", "kernels", LARSPARK_CACHE=str(place.home / "compiled"))
    yield "the same where they are there", f"{wall:.1f} s"


def sizes(place: Place) -> Iterator[tuple[str, str]]:
    """Of wheels, and of what pip installs into an empty environment."""
    wheel, carrying = _wheel(place, "wheel"), _wheel(place, "carrying", LARSPARK_CARRY_KERNELS="1")
    figures = " MB, ".join(f"{path.stat().st_size / 1e6:.1f}" for path in (wheel, carrying))
    yield "wheel for all platforms, wheel with kernels", f"{figures} MB"
    base = _installed(place, wheel, "")
    yield "`pip install larspark`, with everything it needs", f"{base:.0f} MB"
    more = [f"{_installed(place, wheel, f'[{extra}]') - base:.0f}" for extra in EXTRAS]
    yield f"{', '.join(f'`[{extra}]`' for extra in EXTRAS)} on top", f"{', '.join(more)} MB"


def _wheel(place: Place, name: str, **more: str) -> Path:
    words = ("wheel", "--quiet", "--no-build-isolation", "--no-deps", "--wheel-dir", str(place.home / name), ".")
    place.run(".venv/bin/python", "-m", "pip", *words, **more)
    (found,) = (place.home / name).glob("*.whl")
    return found


def _installed(place: Place, wheel: Path, extra: str) -> float:
    environment = place.home / f"environment{extra}"
    place.run(".venv/bin/python", "-m", "venv", "--without-pip", str(environment))
    into = ("--python", str(environment / "bin" / "python"))
    place.run(".venv/bin/python", "-m", "pip", *into, "install", "--quiet", f"{wheel}{extra}")
    return sum(path.stat().st_size for path in environment.rglob("*") if path.is_file()) / 1e6


def tests(place: Place) -> Iterator[tuple[str, str]]:
    for words in (["--quick"], [], ["--all"]):
        _, seconds, output = place.run("./run", "test", *words)
        print(output, flush=True)
        yield f"`{' '.join(['./run test', *words])}`", f"{seconds / 60:.1f} minutes"


if __name__ == "__main__":
    main()
