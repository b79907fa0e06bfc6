"""Reasoners that tidy up at once: what they otherwise do after thousands of arrivals, a small stream shows as well."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from importlib import import_module
from types import MappingProxyType
from unittest.mock import patch

SMALL: Mapping[str, Mapping[str, int]] = MappingProxyType(
    {
        "larspark.reasoners.arrivals_for_readings": {"_SLACK": 0},
        "larspark.reasoners.interval.engine.engine": {"PART": 2, "FIRST_REVIEW": 2},
        "larspark.reasoners.interval.engine.stepping": {"SLACK": 0, "ARENA_SIZE": 8, "TOLD": 1, "FEW_NUMBERS": 1},
        "larspark.reasoners.interval.engine.evaluation": {"SLACK": 0, "PART": 2},
        "larspark.reasoners.interval.engine.demands": {"SLACK": 0},
        "larspark.reasoners.interval.operators.counting": {"SLACK": 0},
        "larspark.reasoners.interval.operators.operators": {"SLACK": 0},
        "larspark.reasoners.interval.operators.sessions": {"SLACK": 0},
        "larspark.reasoners.interval.engine.recording": {"PART": 2},
        "larspark.reasoners.interval.operators.selecting": {"SLACK": 0},
        "larspark.reasoners.interval.planning.statistics": {"SMALL": 1, "DRIFT": 2},
        "larspark.reasoners.interval.state.arrivals": {"FEW": 0},
        "larspark.reasoners.interval.lowering.given_facts": {"MOST_AHEAD": 64},
        "larspark.reasoners.interval.momentary.look_ups": {"_DENSE": 0},
        "larspark.reasoners.interval.momentary.values": {"_KEPT": 1},
        "larspark.reasoners.interval.state.coding": {"_SAMPLE": 2},
        "larspark.reasoners.interval.state.dictionary": {"_FEW": 1},
        "larspark.reasoners.interval.state.tables": {"MEMO_LIMIT": 4},
        "larspark.reasoners.interval.state.texts": {"_TEXTS": 1, "_BYTES": 4},
        "larspark.reasoners.interval.answers.validity": {"FEW": 1},
        "larspark.reasoners.clingo.standing": {"_SLACK": 0},
        "larspark.reasoners.jtms.grounding": {"_SLACK": 0},
        "larspark.reasoners.answer_update.history": {"FIRST_COMPACTION": 1},
    }
)
"""Modules with the constants that say how much may pile up."""


@contextmanager
def small_limits() -> Iterator[None]:
    with ExitStack() as stack:
        for module, constants in SMALL.items():
            stack.enter_context(patch.multiple(import_module(module), **constants))
        yield
