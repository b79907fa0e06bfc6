"""Reports from disk, without network, in a real browser."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from larspark.cli.main import main
from larspark.web.report import data_text
from support.browsers import opened, until

EXAMPLES = Path(__file__).parents[2] / "examples"
ALARMS = EXAMPLES / "explanations" / "alarms"
HOSTILE = 'hot("<img src=x onerror=document.body.larspark.broken=1>")'


class Reports:
    """A report of every command that writes one, written when it is first looked at."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        alarms = (f"{ALARMS}.lars", "--stream", f"{ALARMS}.jsonl", "--on-error", "skip")
        transport = (EXAMPLES / "transport.lars", "--stream", EXAMPLES / "transport.jsonl")
        overheating = EXAMPLES / "foresight" / "overheating.lars"
        hostile, many = folder / "hostile.lars", folder / "many.lars"
        hostile.write_text("alarm(M) :- hot(M) [2].")
        hostile.with_suffix(".jsonl").write_text(
            "".join(json.dumps({"time": time, "atom": HOSTILE}) + "\n" for time in range(3))
        )
        many.write_text("big(X) :- value(X) [3], X > 4000.\n")
        lines = (json.dumps({"time": 1_767_225_600 + n // 10, "atom": f"value({n})"}) for n in range(4711))
        many.with_suffix(".jsonl").write_text("\n".join(lines))
        self._commands = {
            "eval": ["eval", *transport],
            "why": ["why", "alarm(press)", *alarms, "--at", "47"],
            "why-not": ["why-not", "alarm(press)", *alarms, "--at", "52"],
            "diff": ["diff", f"{ALARMS}.lars", f"{ALARMS}-new.lars", *alarms[1:]],
            "foresee": ["foresee", overheating, "--goal", "shutdown(X)", "--stream", overheating.with_suffix(".jsonl")],
            "demo": ["demo", "machines"],
            "hostile": ["eval", hostile, "--stream", hostile.with_suffix(".jsonl")],
            "many": ["eval", many, "--stream", many.with_suffix(".jsonl")],
        }

    def file(self, name: str) -> Path:
        found = self.folder / f"{name}.html"
        if not found.exists():
            assert main([*map(str, self._commands[name]), "--html", str(found)]) == 0
        return found


@pytest.fixture(scope="module")
def reports(tmp_path_factory) -> Reports:
    return Reports(tmp_path_factory.mktemp("reports"))


@pytest.fixture
def report(browser, reports):
    """A report in the browser, which has no network."""
    return lambda name, **options: opened(browser, reports.file(name).as_uri(), offline=True, **options)


def test_nothing_in_a_report_asks_for_the_network(reports):
    text = reports.file("eval").read_text()
    assert re.search(r"script-src 'sha256-[^']+';", text)
    assert "default-src 'none'" in text
    assert not re.search(r'(src|href)="?https?:', text)


def test_the_timeline_shows_arrivals_conclusions_and_what_is_pinned(report, picture):
    with report("eval") as page:
        lane = page.evaluate(
            "(({store}) => { const lane = store.byAtom.get('missing(a3)'); return [[...lane.first.values],"
            " [...lane.last.values], [...store.byAtom.get('expected(a1,museum)').pinAt.values]]; })"
            "(document.body.larspark)"
        )
        assert lane == [[36, 56], [39, 60], [44, 68]]
        page.get_by_role("heading", name="At 60").wait_for()
        page.get_by_role("button", name="connection").first.wait_for(state="detached")
        page.evaluate("document.body.larspark.setCursor(43)")
        picture(page, "timeline")


def test_keys_move_the_cursor_choose_atoms_and_ask(report):
    with report("eval") as page:
        page.keyboard.press("Home")
        page.get_by_role("heading", name="At 36").wait_for()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Shift+ArrowRight")
        page.get_by_role("heading", name="At 47").wait_for()
        page.keyboard.press("Home")
        page.get_by_role("button", name="missing(a3)").click()
        page.get_by_text("missing(a3) holds at 36").wait_for()
        page.keyboard.press("End")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("n")
        page.get_by_text("larspark why-not 'missing(a2)'").wait_for()
        before = page.evaluate("document.body.larspark.view.to - document.body.larspark.view.from")
        page.keyboard.press("+")
        assert page.evaluate("document.body.larspark.view.to - document.body.larspark.view.from") < before
        page.keyboard.press("Escape")
        page.keyboard.press("Home")
        page.keyboard.press(" ")
        until(page, "document.body.larspark.cursor > 40")
        page.keyboard.press(" ")


def test_the_mouse_scrubs_and_zooms(report):
    with report("eval") as page:
        page.mouse.move(500, 400)
        page.mouse.wheel(0, -600)
        until(page, "document.body.larspark.view.to - document.body.larspark.view.from < 20")
        page.mouse.down()
        page.mouse.move(700, 400, steps=4)
        page.mouse.up()
        scale = page.evaluate("Math.floor(document.body.larspark.timeline.scale.time(700))")
        assert page.evaluate("document.body.larspark.cursor") == scale


def test_a_proof_is_shown_with_the_windows_of_its_rule(report, picture):
    with report("why", dark=True) as page:
        page.get_by_text('alarm(press) ("machine press is too hot") holds at 47, since 46').wait_for()
        page.get_by_text("at every point of 37-47").wait_for()
        brackets = page.evaluate("document.body.larspark.windows('hot/1')")
        assert brackets == [{"text": "[10]", "first": 37, "last": 47}]
        picture(page, "proof")
        assert page.evaluate("[...document.body.larspark.store.byAtom.get('hot(press)').refused.values]") == [49]
        page.get_by_role("tab", name="Accounts").click()
        page.get_by_text("E405 Time goes backwards").wait_for()


def test_a_miss_is_shown_with_its_repairs(report):
    with report("why-not") as page:
        page.get_by_text("missing 49").wait_for()
        page.get_by_text("Smallest repairs").wait_for()


def test_differences_lead_to_their_place_on_the_timeline(report):
    with report("diff") as page:
        page.get_by_role("button", name="alarm(press)").first.click()
        page.get_by_role("heading", name="alarm(press)").wait_for()
        assert page.evaluate("document.body.larspark.cursor") == 52


def test_foresight_follows_the_cursor(report):
    with report("foresee") as page:
        page.keyboard.press("Home")
        page.get_by_text("Seen from 1").wait_for()
        page.keyboard.press("ArrowRight")
        page.get_by_text("Seen from 2").wait_for()


def test_rules_have_counts_in_the_margin_and_a_graph(report, picture):
    with report("demo") as page:
        page.get_by_role("tab", name="Rules").click()
        assert page.locator(".gutter .count").first.inner_text()
        page.get_by_role("tab", name="Graph").click()
        rule = page.get_by_role("button", name=re.compile("rule in line")).first
        rule.click()
        assert page.evaluate("document.body.larspark.rule") is not None
        assert re.search(r"stage \d: \d+ rules?, \d+ rows?, .* m?s", page.get_by_label("Stages").inner_text())
        picture(page, "graph")


def test_what_comes_from_data_is_text(report):
    with report("hostile") as page:
        page.keyboard.press("t")
        page.get_by_role("button", name="<img src=x").first.click()
        page.get_by_role("heading", name="<img src=x").wait_for()
        assert page.locator("img").count() == 0
        assert page.evaluate("document.body.larspark.broken === undefined")


def test_data_cannot_end_its_element():
    assert "</script" not in data_text({"atom": "</script><script>alert(1)</script>"})


def test_many_atoms_are_thinned_and_the_search_finds_the_rest(report):
    with report("many") as page:
        rest = page.evaluate("document.body.larspark.rows.list.filter(row => row.type === 2)")
        assert [(row["shown"], row["count"]) for row in rest] == [(12, 4711), (12, 710)]
        page.keyboard.press("/")
        page.keyboard.type("value(4242)")
        page.get_by_text("1 of 5,421").wait_for()
        assert page.evaluate("document.body.larspark.axis.name(document.body.larspark.cursor)") == "2026-01-01 00:07:51"


def test_the_table_says_the_same_as_the_picture(report):
    """What a screen reader finds: names, roles, a caption, one row for each atom."""
    with report("eval") as page:
        tree = page.locator("body").aria_snapshot()
        assert '- tablist "Screens"' in tree
        assert 'application "Timeline.' in tree
        page.get_by_role("tab", name="Table").click()
        row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="missing(a3)"))
        assert "36 – 39, 56 – 60" in row.inner_text()
        assert page.locator("caption").inner_text().startswith("19 of 21 atoms")


def test_a_picture_says_what_it_leaves_out(reports, tmp_path):
    many = reports.folder / "many.lars"
    file = tmp_path / "many.svg"
    assert main(["eval", str(many), "--stream", str(many.with_suffix(".jsonl")), "--draw", str(file)]) == 0
    assert "value/1, 12 of 4711 atoms" in file.read_text()
    assert main(["eval", str(many), "--stream", str(many.with_suffix(".jsonl")), "--draw", str(file), "--ticks"]) == 1


def test_a_picture_has_real_times_and_what_is_concluded_about_others(tmp_path):
    (tmp_path / "p.lars").write_text("@(T+60) due(M) :- @T r(M) [1 min].")
    (tmp_path / "r.csv").write_text("time,arg1\n2026-03-10T08:00:00Z,press\n2026-03-10T08:10:00Z,saw\n")
    words = ["eval", str(tmp_path / "p.lars"), "--stream", str(tmp_path / "r.csv"), "--draw", str(tmp_path / "p.svg")]
    assert main(words) == 0
    drawn = (tmp_path / "p.svg").read_text()
    assert '<text x="8"' in drawn
    assert ">2026-03-10</text>" in drawn, "a day that all share is said once"
    assert ">08:05:00Z</text>" in drawn
    assert "<title>due(press): about 2026-03-10T08:01:00Z</title></polygon>" in drawn
    assert "p.lars (1 conclusions about times outside are not drawn)" in drawn
