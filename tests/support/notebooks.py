"""Runs a notebook in a kernel of its own: `python tests/support/notebooks.py IN OUT` writes it with its outputs."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main(source: str, target: str) -> None:
    import nbformat  # noqa: PLC0415 - a process of its own, in which warnings of others are theirs
    from nbclient import NotebookClient  # noqa: PLC0415

    notebook = nbformat.read(source, as_version=4)
    os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parents[2] / "src"), *sys.path[1:]])
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # when each cell ran
    nbformat.write(notebook, target)


if __name__ == "__main__":
    main(*sys.argv[1:])
