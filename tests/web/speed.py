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
from statistics import median
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from playwright.sync_api import Browser, Page  # noqa: E402

from larspark.cli.main import main  # noqa: E402
from larspark.language.facts import Fact  # noqa: E402
from larspark.reasoners.protocol import Reasoner  # noqa: E402
from larspark.runtime.prepared import prepare  # noqa: E402
from larspark.runtime.running import started  # noqa: E402
from larspark.web.following import LiveFollowing  # noqa: E402
from larspark.web.serving import address, beside, door_at  # noqa: E402
from larspark.web.watching import watched  # noqa: E402
from support.browsers import running_browser, until  # noqa: E402

LANES, STRETCHES = 10_000, 100
PROGRAM = "busy(M) :- report(M) [2]."
MACHINES, RATE, SECONDS, TURNS = 200, 5_000, 3.0, 5


LARGE = """([lanes, stretches]) => {
  const first = new Int32Array(lanes * stretches), last = new Int32Array(lanes * stretches);
  const begin = new Int32Array(lanes + 1), atoms = [], predicate = [];
  let seed = 1; const random = () => 1 + ((seed = (seed * 48271) % 2147483647) % 200);
  for (let lane = 0, n = 0; lane < lanes; lane++) {
    atoms.push(`busy(${lane})`); predicate.push(1);
    for (let place = 0, time = 0; place < stretches; place++, n++) {
      first[n] = time + random(); time = first[n] + random(); last[n] = time - 1;
    }
    begin[lane + 1] = (lane + 1) * stretches;
  }
  const coded = (values) => { const bytes = new Uint8Array(values.buffer); let text = "";
    for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
    return { i32: btoa(text) }; };
  const end = last.reduce((a, b) => Math.max(a, b)), page = document.body.larspark;
  const picture = { ...page.picture, start: 0, end, cursor: end, proofs: [], lanes: { atoms, predicate, base: 0,
    begin: coded(begin), kind: coded(new Int32Array(first.length).fill(1)), first: coded(first), last: coded(last),
    at: coded(first) } };
  const text = JSON.stringify(picture), Page = page.constructor;
  return new Promise((done) => {
    const began = performance.now();
    document.body.larspark = new Page(document.body, JSON.parse(text)); // what a report does with its data
    requestAnimationFrame(() => requestAnimationFrame(() => done([performance.now() - began, text.length])));
  });
}"""


FRAMES = """(act) => new Promise((done) => {
  const gaps = [], page = document.body.larspark; let last = performance.now(), n = 0;
  const step = () => { const now = performance.now(); gaps.push(now - last); last = now;
    if (act) page.zoom(n % 60 < 30 ? 0.9 : 1 / 0.9, page.store.end * 0.4);
    if (++n < 150) requestAnimationFrame(step); else done(gaps.slice(5)); };
  requestAnimationFrame(step); })"""


def picture_speed(browser: Browser, folder: Path) -> None:
    """A report with ten thousand lanes of a hundred stretches: from its text to the second frame; then zooming."""
    (folder / "small.lars").write_text(PROGRAM)
    (folder / "small.jsonl").write_text('{"time": 0, "atom": "report(1)"}\n')
    words = ["eval", f"{folder}/small.lars", "--stream", f"{folder}/small.jsonl", "--html", f"{folder}/small.html"]
    assert main(words) == 0
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto((folder / "small.html").as_uri())
    until(page, "document.body.larspark !== undefined")
    spent, size = page.evaluate(LARGE, [LANES, STRETCHES])
    told(
        "first picture",
        f"{spent / 1000:.2f} s",
        f"{LANES * STRETCHES:,} intervals in {LANES:,} lanes, {size / 1e6:.0f} MB of data",
    )
    page.evaluate("document.body.larspark.rows.opened.add(1); document.body.larspark.rows.update()")
    gaps = page.evaluate(FRAMES, True)
    told(
        "zooming",
        f"{1000 * len(gaps) / sum(gaps):.0f} frames/s",
        f"slowest {max(gaps):.0f} ms; painting {painting(page)}",
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


class Spent(NamedTuple):
    """What evaluations took, in milliseconds: on the clock, and of the processor."""

    wall: list[float]
    cpu: list[float]


def engine_loop(reasoner: Reasoner, seconds: float, first: int = 0) -> Spent:
    """Evaluations with some ten changes each, at the rate."""
    moment, began, spent = first, time.perf_counter(), Spent([], [])
    while time.perf_counter() - began < seconds:
        facts = [Fact("report", ((moment * 5 + place) % MACHINES,)) for place in range(5)]
        before, worked = time.perf_counter(), time.thread_time()
        reasoner.advance(moment, facts)
        spent.cpu.append(1000 * (time.thread_time() - worked))
        spent.wall.append(1000 * (time.perf_counter() - before))
        moment += 1
        if (early := began + (moment - first) * 10 / RATE - time.perf_counter()) > 0:
            time.sleep(early)
    return spent


@contextmanager
def followed_engine() -> Iterator[tuple[Reasoner, str]]:
    prepared = prepare(PROGRAM)
    followed = LiveFollowing(prepared, None, "interval", 0, 100_000)
    door, listening = door_at("127.0.0.1", 0, None)
    with beside(followed, door, listening):
        reasoner = started(prepared, "interval", 0, 0).reasoner
        yield watched(reasoner, followed, 0), address(door)


def live_speed(browser: Browser) -> None:
    with followed_engine() as (seen, place):
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.goto(place)
        page.get_by_text("live", exact=True).wait_for()
        thread = threading.Thread(target=lambda: engine_loop(seen, SECONDS + 3))
        thread.start()
        time.sleep(1)
        gaps = page.evaluate(FRAMES, False)
        thread.join()
        page.wait_for_timeout(1500)
        taken = page.evaluate("document.body.larspark.host.taken")
        page.close()
    late = sum(gap > 50 for gap in gaps)
    note = f"{RATE} changes/s, {late} of {len(gaps)} frames late (> 50 ms), {taken:,} events taken"
    told("live", f"{1000 * len(gaps) / sum(gaps):.0f} frames/s", note)


def engine_speed() -> None:
    """Alone and with somebody who follows by turns, so that both see the same machine; the first turn warms up.

    Who follows is another process, which takes the events as a browser does.
    """
    prepared = prepare(PROGRAM)
    alone, followed = Spent([], []), Spent([], [])
    with followed_engine() as (seen, place), tempfile.TemporaryFile() as events:
        reader = subprocess.Popen(["curl", "-sN", f"{place}events"], stdout=events)
        unseen = started(prepared, "interval", 0, 0).reasoner
        moments = [0, 0]
        for turn in range(TURNS + 1):
            own, other = engine_loop(unseen, SECONDS, moments[0]), engine_loop(seen, SECONDS, moments[1])
            moments = [moments[0] + len(own.wall), moments[1] + len(other.wall)]
            if turn:
                for total, more in ((alone, own), (followed, other)):
                    total.wall.extend(more.wall)
                    total.cpu.extend(more.cpu)
        time.sleep(0.5)
        reader.kill()
        reader.communicate()
        taken = events.tell()
    for name, one, other in (("clock", alone.wall, followed.wall), ("processor", alone.cpu, followed.cpu)):
        slower = f"{100 * (median(other) / median(one) - 1):+.1f} %"
        note = (
            f"median of {median(one):.3f} and {median(other):.3f} ms, {len(other):,} evaluations, {taken:,} bytes told"
        )
        told(f"engine beside a page, {name}", slower, note)


def start_speed() -> None:
    words = [sys.executable, "-c", "import sys; from larspark.cli.main import main; sys.exit(main())", "serve"]
    words += [str(ROOT / "examples/machines.lars"), "--input", str(ROOT / "examples/machines.jsonl"), "--port", "0"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # warm: with the byte code that every installation has
    best = []
    for _ in range(4):
        began = time.perf_counter()
        process = subprocess.Popen([*words, "--format", "json"], stdout=subprocess.PIPE, env=environment)
        assert process.stdout is not None
        json.loads(process.stdout.readline())
        best.append((cpu_seconds(process.pid), time.perf_counter() - began))
        process.kill()
        process.communicate()
    cpu, whole = min(best)
    told("start of serve", f"{cpu:.2f} s", f"CPU, best of four, warm ({whole:.2f} s on the clock)")


def cpu_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def told(what: str, value: str, note: str) -> None:
    print(f"| {what} | {value} | {note} |", flush=True)


if __name__ == "__main__":
    wanted = sys.argv[1:] or ["picture", "live", "engine", "start"]
    if {"picture", "live"} & {*wanted}:
        with tempfile.TemporaryDirectory() as place_, running_browser() as browser_:
            if "picture" in wanted:
                picture_speed(browser_, Path(place_))
            if "live" in wanted:
                live_speed(browser_)
    if "engine" in wanted:
        engine_speed()
    if "start" in wanted:
        start_speed()
