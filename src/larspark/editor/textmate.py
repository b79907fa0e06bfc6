"""The grammar that VS Code and other editors colour programs with; `python -m larspark.editor.textmate` prints it."""

from __future__ import annotations

import json

from larspark.editor.colours import BLOCKS, coloured


def grammar() -> str:
    """The content of `editors/vscode/syntaxes/lars.tmLanguage.json`."""
    blocks = [{"name": f"{one.scope}.lars", "begin": one.begin, "end": one.end} for one in BLOCKS]
    kinds = [{"name": f"{one.scope}.lars", "match": one.pattern} for one in coloured()]
    found = {"name": "LARS", "scopeName": "source.lars", "fileTypes": ["lars"], "patterns": [*blocks, *kinds]}
    return json.dumps(found, indent=2) + "\n"


if __name__ == "__main__":
    print(grammar(), end="")
