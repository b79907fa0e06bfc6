"""Python functions run inside the reasoner, so importing them has to be allowed from outside the program."""

from __future__ import annotations

from larspark.analysis.analysis import Analysis
from larspark.diagnostics import Diagnostic
from larspark.language.tree import FunctionImport


def check_functions(analysis: Analysis) -> Analysis:
    """Reject `#function` unless the caller allowed it."""
    if analysis.allow_functions:
        return analysis
    return analysis.finding(
        *(
            Diagnostic(
                "E206",
                f"The program imports {directive.signature} from {directive.path}, which is not allowed.",
                "Read that file, and if you trust it, pass `--allow-functions`.",
                directive.origin,
            )
            for directive in analysis.program.directives
            if isinstance(directive, FunctionImport)
        )
    )
