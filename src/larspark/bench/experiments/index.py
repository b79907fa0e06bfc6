"""The experiments by name. A new one is a module with a tuple `EXPERIMENTS` and a line here.

Modules are imported by every `larspark bench`: what is large or optional is imported inside an experiment's `run`.
"""

from __future__ import annotations

from larspark.bench.experiments import (
    dear_rules,
    end_to_end,
    explain,
    explain_cone,
    foresight,
    idle,
    join_order,
    lasting,
    live,
    maintenance,
    many_rules,
    memory,
    optimiser,
    skew,
    small_steps,
    spark_batch,
    spark_stream,
    start,
)

_ALL = (
    *end_to_end.EXPERIMENTS,
    *idle.EXPERIMENTS,
    *small_steps.EXPERIMENTS,
    *dear_rules.EXPERIMENTS,
    *join_order.EXPERIMENTS,
    *lasting.EXPERIMENTS,
    *many_rules.EXPERIMENTS,
    *memory.EXPERIMENTS,
    *start.EXPERIMENTS,
    *live.EXPERIMENTS,
    *maintenance.EXPERIMENTS,
    *optimiser.EXPERIMENTS,
    *foresight.EXPERIMENTS,
    *explain.EXPERIMENTS,
    *explain_cone.EXPERIMENTS,
    *spark_batch.EXPERIMENTS,
    *skew.EXPERIMENTS,
    *spark_stream.EXPERIMENTS,
)

EXPERIMENTS = {experiment.name: experiment for experiment in _ALL}
