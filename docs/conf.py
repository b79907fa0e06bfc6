"""The documentation site: `sphinx-build -W docs OUT`. Pages are Markdown, and read well in the repository, too."""

from __future__ import annotations

from sphinx.application import Sphinx

import larspark
from larspark.editor.pygments_lexer import LarsLexer

project = "larspark"
author = "The larspark developers"
release = larspark.__version__

extensions = ["myst_parser"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]

html_theme = "furo"
html_title = f"larspark {release}"
html_theme_options = {"sidebar_hide_name": False}

suppress_warnings = [
    "myst.xref_missing",  # files of the repository that are no pages; `tests/packaging/test_site.py` looks for them
    "misc.highlighting_failure",  # C-SPARQL and CQELS are more than SPARQL
]


def setup(app: Sphinx) -> None:
    """Colours for programs, also where larspark is not installed."""
    app.add_lexer("lars", LarsLexer)
