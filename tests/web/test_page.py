"""The live page in a real browser: every screen, input, edits, reloads, and a server that is killed and comes back."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.browsers import opened, until

ROOT = Path(__file__).parents[2]
ALARMS = ROOT / "examples" / "explanations" / "alarms"
COMMAND = "import sys; from larspark.cli.main import main; sys.exit(main())"


class Served:
    """`larspark serve` in a process of its own, on a port that stays the same."""

    def __init__(self, *words: object, port: int = 0) -> None:
        self._words = [str(word) for word in words]
        self.port = port
        self.start()

    def start(self) -> None:
        words = [sys.executable, "-c", COMMAND, "serve", *self._words, "--port", str(self.port), "--format", "json"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        self.process = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
        )
        assert self.process.stdout is not None
        self.address = json.loads(self.process.stdout.readline())["address"]
        self.port = int(self.address.split(":")[2].split("/")[0])

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Served]:
    program = tmp_path_factory.mktemp("served") / "alarms.lars"
    program.write_text(ALARMS.with_suffix(".lars").read_text())
    found = Served(program, "--input", ALARMS.with_suffix(".jsonl"), "--allow-edit")
    yield found
    found.kill()


@pytest.fixture
def page(browser, server):
    with opened(browser, server.address) as found:
        found.get_by_text("live", exact=True).wait_for()
        yield found


def test_a_click_on_an_atom_gives_its_proof(page, picture):
    until(page, "document.body.larspark.cursor === document.body.larspark.store.end")
    page.evaluate("document.body.larspark.setCursor(47)")
    page.get_by_role("button", name="siren").click()
    page.get_by_text("siren holds at 47, since 46").wait_for()
    page.get_by_text("at every point of 37-47").wait_for()
    picture(page, "live")
    page.get_by_role("button", name="at 48").click()
    page.get_by_text("siren holds at 48").wait_for()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("n")
    page.get_by_text("siren does not hold at 49").wait_for()


def test_lanes_stand_under_what_they_are_about(page):
    grouping = page.get_by_label("Group lanes by")
    listed = "document.body.larspark.rows.list.map(row => row.lane ? row.lane.atom : row.group)"
    assert page.evaluate(listed)[0] == 0
    grouping.select_option("key")
    found = page.evaluate(listed)
    place = found.index("press")
    assert found[place + 1 : place + 3] == ["hot(press)", "alarm(press)"]
    assert found[0] == ""
    page.evaluate(
        "document.body.larspark.rows.toggle(document.body.larspark.rows.list.find(row => row.group === 'press'))"
    )
    assert "hot(press)" not in page.evaluate(listed)
    page.evaluate("document.body.larspark.goTo('hot(press)', 40)")
    assert "hot(press)" in page.evaluate(listed)
    grouping.select_option("predicate")
    assert page.evaluate(listed)[0] == 0


def test_typed_atoms_arrive_and_wrong_ones_are_refused(page):
    end = page.evaluate("document.body.larspark.store.end")
    page.get_by_label("Atoms to send").fill("hot(saw); technician(eve)")
    page.get_by_label("Time point").fill(str(end + 3))
    page.get_by_role("button", name="Send").click()
    until(page, f"document.body.larspark.store.end === {end + 3}")
    assert page.evaluate(f"document.body.larspark.store.byAtom.get('hot(saw)').arrivals.has({end + 3})")
    page.get_by_label("Time point").fill("")
    page.get_by_label("Atoms to send").fill("alarm(saw)")
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_text("derived by the rule").wait_for()
    page.get_by_role("tab", name="Accounts").click()
    page.get_by_role("cell", name="alarm(saw)").wait_for()
    page.get_by_role("tab", name="Timeline").click()
    page.get_by_role("button", name="Advance").click()
    until(page, f"document.body.larspark.store.end === {end + 4}")


def test_time_is_turned_back_played_and_stepped(page):
    page.evaluate("document.body.larspark.setCursor(40)")
    page.get_by_role("button", name="Go back to cursor").click()
    until(page, "document.body.larspark.store.end === 40")
    page.locator(".scroller").focus()
    page.keyboard.press("ArrowRight")
    until(page, "document.body.larspark.store.end === 41")
    page.get_by_label("Speed").select_option("100")
    page.keyboard.press(" ")
    until(page, "document.body.larspark.store.end >= 52")
    assert page.evaluate("document.body.larspark.store.byAtom.get('alarm(press)').first.values[0]") == 46


def test_a_reload_in_mid_stream_shows_the_same(page):
    seen = (
        "(() => { const {store} = document.body.larspark; return JSON.stringify([...store.byAtom.values()].map(lane =>"
    )
    seen += " [lane.atom, [...lane.first.values.subarray(0, lane.first.size)], [...lane.arrivals.values.subarray(0,"
    seen += " lane.arrivals.size)]]).sort()); })()"
    page.get_by_label("Atoms to send").fill("hot(press)")
    page.keyboard.press("Enter")
    until(page, "document.body.larspark.host.taken > 0")
    before = page.evaluate(seen)
    page.reload()
    page.get_by_text("live", exact=True).wait_for()
    assert page.evaluate(seen) == before


def test_rules_are_edited_previewed_and_applied(page, picture):
    page.get_by_role("tab", name="Rules").click()
    text = page.get_by_label("Program")
    written = text.input_value()
    text.fill(written.replace("always hot(M) [10]", "always hot(N) [10]"))
    page.get_by_text(re.compile("E2..")).first.wait_for()
    assert page.locator(".faults u").count() >= 1
    assert page.get_by_role("button", name="Apply").is_disabled()
    text.fill(written.replace("[10]", "[5]"))
    page.get_by_role("button", name="Preview").click()
    page.locator(".changes .gained").first.wait_for()
    picture(page, "rules")
    page.get_by_role("button", name="Apply").click()
    until(page, "document.body.larspark.program.text.includes('always hot(M) [5]')")
    first = "document.body.larspark.store.byAtom.get('alarm(press)').first.values[0]"
    assert page.evaluate(first) == 41
    assert page.locator(".gutter .count").first.inner_text()
    text.fill(written)
    page.get_by_role("button", name="Apply").click()
    until(page, f"document.body.larspark.program.text === {json.dumps(written)}")


def test_what_is_typed_meets_the_rules_that_are_shown(page):
    """Both in one turn of the browser: nothing is filled in later, in front of what was typed."""
    shown = page.evaluate("""(() => {
        [...document.querySelectorAll('[role="tab"]')].find((tab) => tab.textContent === "Rules").click();
        return document.querySelector('[aria-label="Program"]').value;
    })()""")
    assert shown == page.evaluate("document.body.larspark.program.text") != ""


def test_applying_does_not_wait_for_a_preview_that_runs(page):
    held = []
    page.route("**/preview", lambda route: held.append(route.request.url))
    page.get_by_role("tab", name="Rules").click()
    text = page.get_by_label("Program")
    written = text.input_value()
    other = written.replace("[10]", "[5]")
    text.fill(other)
    page.get_by_role("button", name="Preview").click()
    page.get_by_text("Comparing over the history").wait_for()
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/preview")):
        page.get_by_role("button", name="Apply").click()
    until(page, f"document.body.larspark.program.text === {json.dumps(other)}")
    until(page, "document.querySelector('.difference').textContent === ''")
    assert len(held) == 1
    page.unroute("**/preview")
    text.fill(written)
    page.get_by_role("button", name="Apply").click()
    until(page, f"document.body.larspark.program.text === {json.dumps(written)}")


def test_a_page_that_nobody_looks_at_gives_its_connection_back(page):
    turned = "Object.defineProperty(document, 'hidden', {value: %s, configurable: true});"
    turned += "document.dispatchEvent(new Event('visibilitychange')); document.body.larspark.host.source.readyState"
    assert page.evaluate(turned % "true") == 2, "closed"
    end = page.evaluate("document.body.larspark.store.end")
    page.get_by_role("button", name="Advance").click()
    page.evaluate(turned % "false")
    until(page, f"document.body.larspark.store.end === {end + 1}")


def test_the_graph_foresight_and_suppositions(page):
    page.get_by_role("tab", name="Graph").click()
    page.get_by_role("button", name="rule in line 8").click()
    until(page, "document.body.larspark.rule === 1")
    page.get_by_role("tab", name="Foresight").click()
    page.get_by_label("Goal").fill("alarm(M)")
    page.get_by_role("button", name="Look ahead").click()
    page.get_by_text("Foresight does not look ahead through an aggregate").wait_for()
    page.get_by_label("Arrivals to add").fill("@49 hot(press)")
    page.get_by_role("button", name="Compare").click()
    page.locator(".changes .gained").first.wait_for()


def test_a_server_that_is_killed_and_started_again_is_found_again(browser):
    own = Served(ALARMS.with_suffix(".lars"), "--input", ALARMS.with_suffix(".jsonl"), "--paused")
    try:
        context = browser.new_context()
        page = context.new_page()
        page.goto(own.address)
        page.get_by_text("live", exact=True).wait_for()
        page.get_by_role("button", name="Step").click()
        until(page, "document.body.larspark.store.end === 30 && document.body.larspark.host.taken === 1")
        own.kill()
        page.get_by_text("waiting for the server").wait_for()
        own.start()
        page.get_by_text("live", exact=True).wait_for()
        until(page, "document.body.larspark.store.lanes.length === 1")  # only what was refused when it was read
        page.get_by_role("button", name="Step").click()
        until(page, "document.body.larspark.store.byAtom.has('technician(ben)')")
        context.close()
    finally:
        own.kill()


def test_without_the_token_there_is_no_page(browser):
    own = Served(ALARMS.with_suffix(".lars"), "--token", "right")
    try:
        page = browser.new_page()
        assert page.goto(own.address.replace("right", "wrong")).status == 401
        page.goto(own.address)
        page.get_by_text("live", exact=True).wait_for()
        assert "token" not in page.url
        page.close()
    finally:
        own.kill()


def test_the_page_is_attached_to_a_running_tick_engine(browser):
    words = [sys.executable, "-c", COMMAND, "tick", "-p", f"{ALARMS}.lars", "--page", "0", "-o", os.devnull]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    try:
        address = next(line for line in process.stderr if "http://" in line).split()[-1]
        with opened(browser, address) as page:
            page.get_by_text("live", exact=True).wait_for()
            process.stdin.write("@3 technician(ann)\n@5 technician(ben)\n@4 technician(cleo)\n")
            process.stdin.flush()
            until(page, "document.body.larspark.store.byAtom.get('crowd(2)')?.first.values[0] === 5")
            page.get_by_role("button", name="crowd(2)").click()
            page.get_by_text("crowd(2) holds at 5").wait_for()
            assert page.get_by_role("button", name="Send").count() == 0
            page.get_by_role("tab", name="Accounts").click()
            page.get_by_text("technician(cleo) comes late").wait_for()
    finally:
        process.kill()
        process.communicate()
