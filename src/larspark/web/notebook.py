"""In notebooks: `%load_ext larspark`, then cells that begin with `%%lars`; results are shown with their timeline.

    %%lars hot technician -o alarms
    alarm(M) :- always hot(M) [10], not technician(_) [10].

The names are tables of the notebook, one for each predicate (pandas, polars, Arrow, Spark, or columns); one name that
is no predicate of the program is all of the data. `-o` keeps the result under a name.
"""

from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Mapping, MutableMapping, Sequence
from html import escape
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from larspark.analysis.analysis import Analysis
from larspark.analysis.report import as_report
from larspark.diagnostics import Diagnostic, Rejected
from larspark.explain.evaluations.history import AnswerHistory
from larspark.python.answers import Intervals
from larspark.python.evaluate import evaluate
from larspark.questions.histories import stretches
from larspark.reasoners.protocol import Change
from larspark.runtime.prepared import prepare
from larspark.web.picture import Extras, first_proofs, picture_of
from larspark.web.report import report_html

if TYPE_CHECKING:
    from larspark.spark.plan.plan import SparkPlan

HEIGHT = 420
PROVED = 20


def lars(line: str, cell: str, namespace: MutableMapping[str, Any]) -> Intervals:
    """What a `%%lars` cell gives."""
    parser = argparse.ArgumentParser(prog="%%lars", add_help=False, exit_on_error=False)
    parser.add_argument("tables", nargs="*")
    parser.add_argument("-o", "--output")
    parser.add_argument("-r", "--reasoner", default="interval")
    try:
        options = parser.parse_args(shlex.split(line))
    except (argparse.ArgumentError, SystemExit) as error:
        raise Rejected([Diagnostic("E713", f"%%lars does not understand `{line}`.", "%%lars hot -o result")]) from error
    prepared = prepare(cell)
    data = _data(options.tables, namespace, {one.predicate for one in prepared.analysis.extensional})
    found = evaluate(prepared, data, options.reasoner)
    if options.output:
        namespace[options.output] = found
    return found


def _data(names: Sequence[str], namespace: Mapping[str, Any], predicates: set[str]) -> Any:
    missing = [name for name in names if name not in namespace]
    if missing:
        message = f"There is no table `{missing[0]}` in this notebook."
        raise Rejected([Diagnostic("E713", message, "Name tables that were made in cells above.")])
    tables = {name: _local(namespace[name]) for name in names}
    if len(names) == 1 and names[0] not in predicates:
        return tables[names[0]]
    return tables


def _local(table: Any) -> Any:
    """A DataFrame of Spark is fetched."""
    return table.toArrow() if hasattr(table, "toArrow") else table


# -- as HTML ---------------------------------------------------------------------------------------


def page_of(found: Intervals) -> dict[str, Any]:
    """Everything the page shows of a result."""
    assert found.case is not None
    case = found.case()
    history = AnswerHistory(case.start, case.end, tuple(stretches(found.blocks)))
    return picture_of(case, None, Extras("notebook", tuple(first_proofs(case, history, PROVED))), history)


def intervals_html(found: Intervals) -> str:
    """The table, and the page in a frame of its own: it shares no script and no style with the notebook."""
    table = found._repr_html_()
    if found.case is None:
        return table
    frame = escape(report_html(page_of(found)), quote=True)
    look = f"width:100%;height:{HEIGHT}px;border:1px solid #8884;border-radius:6px"
    return f'<iframe title="timeline" sandbox="allow-scripts" style="{look}" srcdoc="{frame}"></iframe>{table}'


def change_html(change: Change) -> str:
    pinned, unpinned = ((f"@{at} {fact}" for at, fact in timed) for timed in (change.pinned, change.unpinned))
    gained = sorted([*map(str, change.appeared), *pinned])
    lost = sorted([*map(str, change.disappeared), *unpinned])
    rows = [
        f"<tr><td>{sign}</td><td>{escape(atom)}</td></tr>"
        for sign, atoms in (("+", gained), ("−", lost))
        for atom in atoms
    ]
    none = "" if change.consistent else "<p>There is no answer stream.</p>"
    return f"<p>at {change.time}</p><table>{''.join(rows) or '<tr><td>nothing changes</td></tr>'}</table>{none}"


def analysis_html(analysis: Analysis) -> str:
    """What `check` says, without what it says only to programs."""
    report = as_report(analysis)
    said = {name: report[name] for name in ("ok", "fragment", "strata", "reasoners", "retention")}
    rows = [f"<tr><th>{name}</th><td>{escape(json.dumps(value))}</td></tr>" for name, value in said.items()]
    findings = "".join(f"<p>{escape(str(one))}</p>" for one in analysis.diagnostics)
    return f"<table>{''.join(rows)}</table>{findings}"


def plan_html(plan: SparkPlan) -> str:
    """What `run --explain` tells."""
    from larspark.spark.plan.describe import describe  # noqa: PLC0415 - who has a plan has Spark

    told = "\n".join(describe(plan))
    return f"<pre>{escape(told)}</pre>"


def widget_bundle(found: Intervals, include: object = None, exclude: object = None) -> dict[str, Any]:
    """The timeline as a widget, beside the other forms of a result."""
    del include, exclude  # who asks picks what it can show
    from larspark.web.widget import VIEW, widget_of  # noqa: PLC0415 - where there is anywidget

    if found.case is None:
        return {}
    shown = widget_of(found, page_of(found))._repr_mimebundle_()
    return {} if shown is None else {VIEW: shown[0][VIEW]}


def load_ipython_extension(shell: Any) -> None:
    """Called by `%load_ext larspark`."""

    def magic(line: str, cell: str) -> Intervals:
        return lars(line, cell, shell.user_ns)

    shell.register_magic_function(magic, "cell", "lars")
    html = shell.display_formatter.formatters["text/html"]
    html.for_type(Intervals, intervals_html)
    html.for_type(Change, change_html)
    html.for_type(Analysis, analysis_html)
    html.for_type_by_name("larspark.spark.plan.plan", "SparkPlan", plan_html)  # whose library may not be there
    if find_spec("anywidget") is not None:
        shell.display_formatter.mimebundle_formatter.for_type(Intervals, widget_bundle)
