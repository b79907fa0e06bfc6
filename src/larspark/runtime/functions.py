"""Python functions that a program imports with `#function`; the caller has allowed it."""

from __future__ import annotations

import runpy
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.tree import FunctionImport, Program


def import_functions(program: Program) -> Mapping[str, Callable[..., Any]]:
    """The functions by name; a file is run once, its path is relative to the program file that names it."""
    modules: dict[Path, Mapping[str, Any]] = {}
    functions: dict[str, Callable[..., Any]] = {}
    problems: list[Diagnostic] = []
    for directive in (d for d in program.directives if isinstance(d, FunctionImport)):
        folder = Path(directive.origin.file).parent if directive.origin else Path()
        path = folder / directive.path
        name = directive.signature.predicate
        try:
            if path not in modules:
                modules[path] = runpy.run_path(str(path))
        except Exception as error:  # whatever the user's file raises is the user's to read
            message = f"`{directive.path}` cannot be loaded: {error}."
            problems.append(Diagnostic("E309", message, "Correct the Python file or its path.", directive.origin))
            continue
        function = modules[path].get(name)
        if callable(function):
            functions[name] = function
        else:
            message = f"`{directive.path}` defines no function {name}."
            problems.append(Diagnostic("E309", message, "Define it there, or correct the name.", directive.origin))
    if problems:
        raise Rejected(problems)
    return functions
