"""Explanations as Python programs and notebooks get them: text, JSON and HTML of one thing."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from larspark.explain.faces.text import proof_text
from larspark.explain.faces.why_not_text import why_not_text
from larspark.explain.misses.why_not import WhyNot
from larspark.explain.proofs.proof import Proof


@dataclass(frozen=True, repr=False)
class Explanation:
    """Printed it is text; `json` is what the command line prints; notebooks show the HTML. All are made on request."""

    found: Proof | WhyNot

    @cached_property
    def text(self) -> str:
        return proof_text(self.found) if isinstance(self.found, Proof) else why_not_text(self.found)

    @cached_property
    def json(self) -> Mapping[str, Any]:
        return self.found.as_json()

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_of(self.text)


def why_explanation(proof: Proof) -> Explanation:
    return Explanation(proof)


def why_not_explanation(found: WhyNot) -> Explanation:
    return Explanation(found)


def html_of(text: str) -> str:
    """The lines of an explanation, folding like the tree that they draw."""
    return f'<div style="font-family:monospace;white-space:pre-wrap">{"".join(_folded(text.splitlines()))}</div>'


def _folded(lines: list[str]) -> Iterator[str]:
    depth = [_depth(line) for line in lines]
    open_: list[int] = []
    for number, line in enumerate(lines):
        while open_ and open_[-1] >= depth[number]:
            open_.pop()
            yield "</details>"
        words = html.escape(line.lstrip("│├└─ "))
        indent = f'style="margin-left:{depth[number]}em"'
        if number + 1 < len(lines) and depth[number + 1] > depth[number] > 0:
            open_.append(depth[number])
            yield f"<details open {indent}><summary>{words}</summary>"
        else:
            yield f"<div {indent}>{words}</div>"
    yield "</details>" * len(open_)


def _depth(line: str) -> int:
    return (len(line) - len(line.lstrip("│├└─ "))) // 3
