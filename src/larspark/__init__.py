"""larspark: rules over streams, exact to the logic LARS, on a laptop or on a Spark cluster.

program = larspark.parse("alarm(M) :- always hot(M) [10], not seen(_) [10].")
engine = larspark.Engine(program)
engine.advance(36, ["hot(m1)"])
engine.answer()

What may still become true, and on what it hangs:

for time, prospects in larspark.foresee(program, "alarm(M)", [(36, "hot(m1)")]).items(): ...
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from larspark.diagnostics import Diagnostic, Rejected
    from larspark.hypothetical import Outlook
    from larspark.language.facts import Fact
    from larspark.language.windows.registered import register_window
    from larspark.python.evaluate import evaluate
    from larspark.python.foresight import Foresight, foresee
    from larspark.python.session import Engine, check, parse
    from larspark.reasoners.protocol import Answer, AnswerStream, Change
    from larspark.runtime.prepared import Prepared, prepare
    from larspark.tick.clock import HandClock

__version__ = "0.1.0"
__all__ = [
    "Answer",
    "AnswerStream",
    "Change",
    "Diagnostic",
    "Engine",
    "Fact",
    "Foresight",
    "HandClock",
    "Outlook",
    "Prepared",
    "Rejected",
    "__version__",
    "check",
    "evaluate",
    "foresee",
    "parse",
    "prepare",
    "register_window",
]

_HOMES = {
    "Answer": "larspark.reasoners.protocol",
    "AnswerStream": "larspark.reasoners.protocol",
    "Change": "larspark.reasoners.protocol",
    "Diagnostic": "larspark.diagnostics",
    "Engine": "larspark.python.session",
    "Fact": "larspark.language.facts",
    "Foresight": "larspark.python.foresight",
    "HandClock": "larspark.tick.clock",
    "Outlook": "larspark.hypothetical",
    "Prepared": "larspark.runtime.prepared",
    "Rejected": "larspark.diagnostics",
    "check": "larspark.python.session",
    "evaluate": "larspark.python.evaluate",
    "foresee": "larspark.python.foresight",
    "parse": "larspark.python.session",
    "prepare": "larspark.runtime.prepared",
    "register_window": "larspark.language.windows.registered",
}


def __getattr__(name: str) -> object:
    """The public names, imported on first use: the command line must start fast, and submodules import this file."""
    if name in _HOMES:
        found: object = getattr(import_module(_HOMES[name]), name)
        return found
    raise AttributeError(f"module 'larspark' has no attribute {name!r}")


def load_ipython_extension(shell: object) -> None:
    """`%load_ext larspark` in a notebook: `%%lars` cells, and results with their timeline."""
    import_module("larspark.web.notebook").load_ipython_extension(shell)
