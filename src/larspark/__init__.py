"""larspark: rules over streams, exact to the logic LARS, on a laptop or on a Spark cluster.

program = larspark.parse("alarm(M) :- always hot(M) [10], not seen(_) [10].")
engine = larspark.Engine(program)
engine.advance(36, ["hot(m1)"])
engine.answer()
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from larspark.runtime.session import Engine, check, parse

__version__ = "0.1.0"
__all__ = ["Engine", "__version__", "check", "parse"]


def __getattr__(name: str) -> object:
    """The public names, imported on first use: the command line must start fast, and submodules import this file."""
    if name in ("Engine", "check", "parse"):
        from larspark.runtime import session  # noqa: PLC0415 - lazy on purpose, see above

        return getattr(session, name)
    raise AttributeError(f"module 'larspark' has no attribute {name!r}")
