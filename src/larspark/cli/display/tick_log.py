"""What a running tick engine tells on standard error: plain lines, or JSON objects."""

from __future__ import annotations

import json
import logging
import sys

from larspark.diagnostics import Diagnostic
from larspark.diagnostics.render import as_json

LEVELS = {"none": logging.CRITICAL, "warn": logging.WARNING, "debug": logging.DEBUG}


class _JsonLines(logging.Formatter):
    """Diagnostics as everywhere, everything else as a message with its level."""

    def format(self, record: logging.LogRecord) -> str:
        diagnostic = getattr(record, "diagnostic", None)
        if isinstance(diagnostic, Diagnostic):
            return json.dumps(as_json(diagnostic), ensure_ascii=False)
        return json.dumps({"level": record.levelname.lower(), "message": record.getMessage()}, ensure_ascii=False)


def log_to_standard_error(level: str, style: str) -> None:
    handler = logging.StreamHandler(sys.stderr)
    if style == "json":
        handler.setFormatter(_JsonLines())
    for name in ("larspark.tick", "larspark.live"):
        log = logging.getLogger(name)
        log.handlers = [handler]
        log.propagate = False
        log.setLevel(LEVELS[level])
