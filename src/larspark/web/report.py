"""A report: one file with the page and its data, which opens from disk and asks no network for anything."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any

from larspark.web.module import csp_hash, script, style

START = "$larspark.mount(document.body, JSON.parse(document.getElementById('larspark-data').textContent));\n"


def report_html(picture: dict[str, Any]) -> str:
    """Only this script and this style may run; nothing may be loaded or sent."""
    code, look = script() + START, style()
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src {csp_hash(code)}",
            f"style-src {csp_hash(look)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    return "\n".join(
        (
            "<!doctype html>",
            '<html lang="en">',
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(picture['title'])} · larspark</title>",
            f"<style>{look}</style>",
            "<body>",
            f'<script type="application/json" id="larspark-data">{data_text(picture)}</script>',
            f'<script type="module">{code}</script>',
            "</body></html>",
            "",
        )
    )


def data_text(picture: dict[str, Any]) -> str:
    """JSON that cannot end the element it stands in."""
    return json.dumps(picture, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def write_report(picture: dict[str, Any], file: Path) -> None:
    file.write_text(report_html(picture), encoding="utf-8")
