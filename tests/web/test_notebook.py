"""Notebook cells, run as a notebook runs them, without one."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import larspark
from larspark.diagnostics import Rejected
from larspark.web.notebook import lars
from support.browsers import opened

NOTEBOOK = Path(__file__).parents[2] / "examples" / "notebook.ipynb"
HOT = {"time": [0, 1, 2], "machine": ["press", "press", "<b>saw</b>"]}


class Shell:
    """As much of IPython as the extension uses."""

    def __init__(self) -> None:
        self.user_ns: dict[str, Any] = {}
        self.magics: dict[str, Any] = {}
        self.html: dict[type, Any] = {}
        self.display_formatter = self
        self.formatters = {"text/html": self}

    def for_type(self, kind: type, function: Any) -> None:
        self.html[kind] = function

    def register_magic_function(self, function: Any, kind: str, name: str) -> None:
        self.magics[f"%%{name}"] = function

    def run(self, source: str) -> Any:
        """The value of a cell."""
        first, _, rest = source.partition("\n")
        word, _, line = first.partition(" ")
        if word in self.magics:
            return self.magics[word](line, rest)
        tree = ast.parse("\n".join(line for line in source.splitlines() if not line.startswith("%")))
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "<cell>", "exec"), self.user_ns)
        return eval(compile(ast.Expression(last.value), "<cell>", "eval"), self.user_ns) if last else None

    def shown(self, value: Any) -> str:
        function = self.html.get(type(value))
        return str(function(value) if function else value._repr_html_())


def test_the_example_runs():
    shell = Shell()
    shown = []
    for cell in json.loads(NOTEBOOK.read_text())["cells"]:
        if cell["cell_type"] == "code":
            source = "".join(cell["source"])
            if "%load_ext larspark" in source:
                larspark.load_ipython_extension(shell)
            value = shell.run(source)
            if value is not None:
                shown.append(shell.shown(value))
    page, table, proof, change, analysis = shown
    assert "<iframe" in page
    assert "press" in table
    assert "alarm(press)" in proof
    assert "<td>+</td><td>alarm(saw)</td>" in change
    assert "stratified" in analysis or "positive" in analysis


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
