"""How fast the page is, in headless Chromium: `python tests/web/speed.py` prints a table for docs/benchmarks.md."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from playwright.sync_api import Browser, Page  # noqa: E402

from larspark.language.facts import Fact  # noqa: E402
from larspark.runtime.prepared import prepare  # noqa: E402
from larspark.runtime.running import started  # noqa: E402
from larspark.web.describe import calendar_json, predicates_json, predicates_of, program_json  # noqa: E402
from larspark.web.following import Following  # noqa: E402
from larspark.web.marks import Kind, Mark, lanes_json  # noqa: E402
from larspark.web.picture import SCHEMA  # noqa: E402
from larspark.web.report import write_report  # noqa: E402
from larspark.web.serving import address, beside, door_at  # noqa: E402
from larspark.web.watching import watched  # noqa: E402
from support.browsers import running_browser, until  # noqa: E402

LANES, STRETCHES = 10_000, 100
PROGRAM = "busy(M) :- report(M) [2]."
MACHINES, RATE, SECONDS = 200, 5_000, 6.0


def large_report(file: Path) -> None:
    """Ten thousand lanes with a hundred stretches each."""
    prepared, random = prepare(PROGRAM), Random(1)
    predicates = predicates_of(prepared)
    marks = []
    for lane in range(LANES):
        fact, time_ = Fact("busy", (lane,)), 0
        for _ in range(STRETCHES):
            first = time_ + random.randint(1, 200)
            time_ = first + random.randint(1, 200)
            marks.append(Mark(fact, Kind.HOLDS, first, time_ - 1))
    end = max(mark.last or 0 for mark in marks)
    picture = {
        "schema": SCHEMA, "title": "large", "command": "eval", "start": 0, "end": end,
        "calendar": calendar_json(prepared.calendar, 0), "program": program_json(prepared),
        "predicates": predicates_json(prepared, predicates), "lanes": lanes_json(marks, predicates), "void": [],
        "accounts": {"used": 0, "refused": []}, "proofs": [], "differences": None, "prospects": None, "ask": "",
    }  # fmt: skip
    write_report(picture, file)


FRAMES = """(act) => new Promise((done) => {
  const gaps = [], page = document.body.larspark; let last = performance.now(), n = 0;
  const step = () => { const now = performance.now(); gaps.push(now - last); last = now;
    if (act) page.zoom(n % 60 < 30 ? 0.9 : 1 / 0.9, page.store.end * 0.4);
    if (++n < 150) requestAnimationFrame(step); else done(gaps.slice(5)); };
  requestAnimationFrame(step); })"""


def picture_speed(browser: Browser, folder: Path) -> None:
    file = folder / "large.html"
    large_report(file)
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    began = time.perf_counter()
    page.goto(file.as_uri())
    until(page, "document.body.larspark?.timeline.frames.length > 0")
    told(
        "first picture",
        f"{time.perf_counter() - began:.2f} s",
        f"{LANES * STRETCHES:,} intervals, {file.stat().st_size / 1e6:.0f} MB file",
    )
    page.evaluate("document.body.larspark.rows.opened.add(1); document.body.larspark.rows.update()")
    gaps = page.evaluate(FRAMES, True)
    told(
        "zooming",
        f"{1000 * len(gaps) / sum(gaps):.0f} frames/s",
        f"slowest frame {max(gaps):.0f} ms; painting takes {painting(page)}",
    )
    told("memory", f"{heap(page):.0f} MB", "script heap and typed arrays of the page")
    page.close()


def painting(page: Page) -> str:
    frames = sorted(page.evaluate("document.body.larspark.timeline.frames"))
    return f"{frames[len(frames) // 2]:.1f} ms (median)"


def heap(page: Page) -> float:
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    found = session.send("Runtime.getHeapUsage")
    return float(found["usedSize"] + found.get("backingStorageSize", 0)) / 1e6


def engine_loop(seen: object, seconds: float, rate: float | None) -> float:
    """Evaluations with 10 changes or so each; the number of evaluations per second of engine time."""
    reasoner, moment, began, spent = seen, 0, time.perf_counter(), 0.0
    while time.perf_counter() - began < seconds:
        facts = [Fact("report", ((moment * 5 + place) % MACHINES,)) for place in range(5)]
        before = time.perf_counter()
        reasoner.advance(moment, facts)  # type: ignore[attr-defined]
        spent += time.perf_counter() - before
        moment += 1
        if rate is not None and (early := began + moment * 10 / rate - time.perf_counter()) > 0:
            time.sleep(early)
    return moment / spent


@contextmanager
def followed_engine() -> Iterator[tuple[object, str]]:
    prepared = prepare(PROGRAM)
    followed = Following(prepared, None, "interval", 0, 100_000)
    door, listening = door_at("127.0.0.1", 0, None)
    with beside(followed, door, listening):
        reasoner = started(prepared, "interval", 0, 0).reasoner
        yield watched(reasoner, followed, 0), address(door)


def live_speed(browser: Browser) -> None:
    alone = started(prepare(PROGRAM), "interval", 0, 0).reasoner
    engine_loop(alone, 1, None)
    rates = {"alone": engine_loop(started(prepare(PROGRAM), "interval", 0, 0).reasoner, SECONDS, RATE)}
    with followed_engine() as (seen, place):
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.goto(place)
        page.get_by_text("live", exact=True).wait_for()
        found: list[float] = []
        thread = threading.Thread(target=lambda: found.append(engine_loop(seen, SECONDS, RATE)))
        thread.start()
        time.sleep(1)
        gaps = page.evaluate(FRAMES, False)
        thread.join()
        page.wait_for_timeout(1500)
        taken = page.evaluate("document.body.larspark.host.taken")
        page.close()
    rates["with page"] = found[0]
    late = sum(gap > 50 for gap in gaps)
    told(
        "live",
        f"{1000 * len(gaps) / sum(gaps):.0f} frames/s",
        f"{RATE} changes/s, {late} of {len(gaps)} frames late (> 50 ms), {taken:,} events",
    )
    told(
        "engine beside the page",
        f"{100 * (rates['alone'] / rates['with page'] - 1):+.0f} %",
        "time of an evaluation, with a browser looking on",
    )


def start_speed() -> None:
    words = [sys.executable, "-c", "import sys; from larspark.cli.main import main; sys.exit(main())", "serve"]
    words += [str(ROOT / "examples/machines.lars"), "--input", str(ROOT / "examples/machines.jsonl"), "--port", "0"]
    best = []
    for _ in range(3):
        began = time.perf_counter()
        process = subprocess.Popen(
            [*words, "--format", "json"], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT / "src")}
        )
        assert process.stdout is not None
        json.loads(process.stdout.readline())
        best.append(time.perf_counter() - began)
        process.kill()
        process.communicate()
    told("start of serve", f"{min(best):.2f} s", "best of three, warm")


def told(what: str, value: str, note: str) -> None:
    print(f"| {what} | {value} | {note} |", flush=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place_, running_browser() as browser_:
        picture_speed(browser_, Path(place_))
        live_speed(browser_)
    start_speed()
