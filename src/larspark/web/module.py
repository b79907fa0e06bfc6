"""`larspark.js`: the parts of the page as one ES module, the same for every host."""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path

PARTS = Path(__file__).parent / "page"
ORDER = (
    "dom",
    "store",
    "axis",
    "rows",
    "windows",
    "held",
    "theme",
    "paint",
    "overview",
    "timeline",
    "table",
    "panel",
    "rules",
    "graph",
    "foresight",
    "accounts",
    "live",
    "larspark",
    "widget",
)
"""Each part needs only those before it."""

_IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./(\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?:class (\w+)|(?:async )?function (\w+)|const (.*))", re.MULTILINE)


@cache
def script() -> str:
    """The parts behind one another, each in a scope of its own."""
    parts = (_scoped(name, (PARTS / f"{name}.js").read_text(encoding="utf-8")) for name in ORDER)
    return "\n".join((*parts, "export const { mount } = $larspark;\n"))


def _scoped(name: str, text: str) -> str:
    """What a part imports becomes constants, what it exports the value of its scope."""
    exported: list[str] = []
    for made, function, constants in _EXPORT.findall(text):
        exported += [made or function] if made or function else re.findall(r"(\w+) =", constants)
    inner = _IMPORT.sub(r"const \1 = $\2;", text).replace("\nexport ", "\n")
    return f"const ${name} = (() => {{\n{inner}\nreturn {{ {', '.join(exported)} }};\n}})();"


@cache
def style() -> str:
    return (PARTS / "style.css").read_text(encoding="utf-8")


def csp_hash(content: str) -> str:
    """How a content security policy names a script or style that it lets through."""
    return f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'"
