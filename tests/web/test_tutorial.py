"""The tutorial, followed in a browser as it is written."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from larspark.runtime.prepared import prepare
from larspark.web.live import Live, PlayedInput
from larspark.web.server import Permissions
from larspark.web.serving import address, beside, door_at
from support.browsers import opened, until

ROOT = Path(__file__).parents[2]
FIRST, WINDOW, ALARM = re.findall(r"```lars\n(.*?)\n```", (ROOT / "docs" / "tutorial.md").read_text(), re.DOTALL)


@pytest.fixture
def page(browser, tmp_path):
    program = tmp_path / "tutorial.lars"
    shutil.copy(ROOT / "examples" / "tutorial.lars", program)
    live = Live(prepare(program), program, "interval", PlayedInput(), history=1000)
    door, listening = door_at("127.0.0.1", 0, None)
    with beside(live, door, listening, Permissions(edit=True)), opened(browser, address(door)) as found:
        found.get_by_text("live", exact=True).wait_for()
        yield found


def send(page, atoms):
    page.get_by_label("Atoms to send").fill(atoms)
    page.get_by_role("button", name="Send").click()
    until(page, "document.querySelector('[aria-label=\"Atoms to send\"]').value === ''")


def advance(page, to):
    page.get_by_role("button", name="Advance").click()
    until(page, f"document.body.larspark.store.end === {to}")


def apply(page, text):
    page.get_by_role("tab", name="Rules").click()
    page.get_by_label("Program").fill(text)
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Apply").click()
    until(page, f"document.body.larspark.program.text === {text!r}")
    page.get_by_role("tab", name="Timeline").click()


def test_from_the_first_rule_to_a_proof(page):
    assert FIRST in (ROOT / "examples" / "tutorial.lars").read_text()
    send(page, "celsius(press, 85)")
    page.get_by_role("button", name="hot(press)").click()
    page.get_by_text("hot(press) holds at 0").wait_for()
    advance(page, 1)
    page.keyboard.press("End")
    page.keyboard.press("n")
    page.get_by_text("hot(press) does not hold at 1").wait_for()
    apply(page, WINDOW)
    until(page, "document.body.larspark.store.byAtom.get('hot(press)').covering(1) >= 0")
    for time in range(2, 7):
        advance(page, time)
    assert page.evaluate("document.body.larspark.store.byAtom.get('hot(press)').last.values[0]") == 5
    apply(page, ALARM)
    for time in range(7, 11):
        send(page, "celsius(press, 70)")
        if time < 10:
            advance(page, time)
    until(page, "document.body.larspark.store.byAtom.has('alarm(press)')")
    page.keyboard.press("Escape")
    page.keyboard.press("End")
    page.get_by_role("button", name="alarm(press)").click()
    page.get_by_text("alarm(press) holds at 9").wait_for()
    send(page, "technician(ann)")
    page.keyboard.press("n")
    page.get_by_text("alarm(press) does not hold at 9").wait_for()
