"""Notebook cells: the example in a kernel, the rest as a notebook runs them, without one."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import larspark
from larspark.diagnostics import Rejected
from larspark.spark import plan_of
from larspark.web.notebook import lars, page_of
from larspark.web.widget import VIEW, widget_of
from support.browsers import opened

NOTEBOOK = Path(__file__).parents[2] / "examples" / "notebook.ipynb"
NOTEBOOKS = Path(__file__).parents[1] / "support" / "notebooks.py"
HOT = {"time": [0, 1, 2], "machine": ["press", "press", "<b>saw</b>"]}


class Shell:
    """As much of IPython as the extension uses."""

    def __init__(self) -> None:
        self.user_ns: dict[str, Any] = {}
        self.magics: dict[str, Any] = {}
        self.html: dict[type, Any] = {}
        self.display_formatter = self
        self.mimebundle_formatter = Shell.Bundles()
        self.formatters = {"text/html": self}

    class Bundles:
        def for_type(self, kind: type, function: Any) -> None:
            self.kind, self.function = kind, function

    def for_type(self, kind: type, function: Any) -> None:
        self.html[kind] = function

    def for_type_by_name(self, module: str, name: str, function: Any) -> None:
        self.html[getattr(import_module(module), name)] = function

    def register_magic_function(self, function: Any, kind: str, name: str) -> None:
        self.magics[f"%%{name}"] = function

    def shown(self, value: Any) -> str:
        function = self.html.get(type(value))
        return str(function(value) if function else value._repr_html_())


def test_the_example_runs_in_a_kernel_and_shows_what_it_gives(tmp_path):
    """As it is stored: text, tables, and the timeline as a widget (or a frame where there are no widgets)."""
    done = tmp_path / "done.ipynb"
    words = [sys.executable, str(NOTEBOOKS), str(NOTEBOOK), str(done)]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    found, stored = ([_shown(cell) for cell in json.loads(file.read_text())["cells"]] for file in (done, NOTEBOOK))
    assert found == stored
    kinds = [
        set(output["data"]) for cell in json.loads(done.read_text())["cells"] for output in cell.get("outputs", ())
    ]
    assert {VIEW, "text/html", "text/plain"} in kinds
    assert all("text/html" in one for one in kinds)
    state = json.loads(done.read_text())["metadata"]["widgets"]["application/vnd.jupyter.widget-state+json"]["state"]
    assert any("alarm(press)" in one["state"].get("picture", "") for one in state.values())


def _shown(cell):
    """What a cell shows that is the same in every run; of a face that people see, its kind."""
    return [
        (output["data"]["text/plain"] if [*output["data"]] == ["text/plain"] else "", sorted(output["data"]))
        for output in cell.get("outputs", ())
        if "data" in output
    ]


def test_the_kernel_answers_the_widget():
    found = lars("hot", "alarm(M) :- hot(M) [1].", {"hot": HOT})
    widget = widget_of(found, page_of(found))
    sent = []
    widget.send = sent.append
    widget._asked(widget, {"id": "a", "ask": "why", "atom": "alarm(press)", "at": 1}, [])
    widget._asked(widget, {"id": "b", "ask": "why-not", "atom": "alarm(saw)", "at": 1}, [])
    widget._asked(widget, {"id": "c", "ask": "why", "atom": "alarm(saw)", "at": 1}, [])
    why, why_not, neither = sent
    assert (why["id"], why["answer"]["text"].partition("\n")[0]) == ("a", "alarm(press) holds at 1, since 0")
    assert why_not["answer"]["json"]["holds"] is False
    assert "does not hold at 1" in neither["answer"]["diagnostics"][0]["message"]


def test_the_widget_asks_what_the_picture_does_not_know(browser, tmp_path):
    found = lars("hot", "alarm(M) :- hot(M) [1].", {"hot": HOT})
    widget = widget_of(found, {**page_of(found), "proofs": []})
    model = json.dumps({"picture": widget.picture, "style": widget.style, "rows": widget.rows}).replace("<", "\\u003c")
    (tmp_path / "cell.html").write_text(
        "<!doctype html><meta charset=utf-8><body><script>document.body.larspark = 1</script><div id=cell></div>"
        "<script type=module>"
        f"{widget._esm.replace('export default', 'const widget =').replace('export const', 'const')}"
        f"const data = {model}; let told = null; window.asked = [];"
        "const model = { get: (name) => data[name], on: (_, tell) => (told = tell), off: () => (told = null),"
        " send: (one) => { window.asked.push(one); told({ id: one.id, answer: { text: 'because' } }); } };"
        "window.close_ = widget.render({ model, el: document.getElementById('cell') });</script>"
    )
    with opened(browser, (tmp_path / "cell.html").as_uri(), offline=True) as page:
        assert page.get_by_role("cell", name='alarm("<b>saw</b>")').count() == 1
        page.get_by_role("button", name="alarm(press)").first.click()
        page.get_by_text("because").wait_for()
        (asked,) = page.evaluate("window.asked")
        assert (asked["ask"], asked["atom"]) == ("why", "alarm(press)")
        page.evaluate("window.close_()")


@pytest.mark.parametrize("table", [HOT, pa.table(HOT)], ids=["columns", "arrow"])
def test_tables_of_the_namespace_are_the_data(table):
    namespace = {"hot": table}
    found = lars("hot -o kept", "alarm(M) :- hot(M).", namespace)
    assert found.to_pylist() == namespace["kept"].to_pylist()
    assert [row["from"] for row in found.to_pylist()] == [0, 2]


def test_one_table_can_be_all_of_the_data():
    namespace = {"events": {"time": [3], "atom": ["hot(press)"]}}
    assert lars("events", "alarm(M) :- hot(M).", namespace).to_pylist()[0]["atom"] == "alarm(press)"


def test_what_is_not_there_is_said():
    with pytest.raises(Rejected, match="no table `hot`"):
        lars("hot", "alarm(M) :- hot(M).", {})
    with pytest.raises(Rejected, match="does not understand"):
        lars("--what", "alarm(M) :- hot(M).", {})


def test_the_timeline_of_a_result_is_drawn_in_its_frame(browser, tmp_path):
    shell = Shell()
    larspark.load_ipython_extension(shell)
    html = shell.shown(lars("hot", "alarm(M) :- hot(M) [1].", {"hot": HOT}))
    (tmp_path / "cell.html").write_text(f"<meta charset=utf-8><body><script>document.body.larspark = 1</script>{html}")
    with opened(browser, (tmp_path / "cell.html").as_uri(), offline=True) as page:
        frame = page.frame_locator("iframe")
        frame.get_by_role("tab", name="Table").click()
        frame.get_by_role("button", name='alarm("<b>saw</b>")').first.wait_for()
        assert page.locator("td b").count() == 0


def test_a_plan_is_shown_as_the_command_tells_it():
    shell = Shell()
    larspark.load_ipython_extension(shell)
    shown = shell.shown(plan_of('late(X) :- due(X, "<now>") [2], not here(X) [2].'))
    assert "split by X" in shown
    assert shown.startswith("<pre>stage 1  late/1")
