"""What a folder of tables is: the program, its calendar, and the columns of each table, beside them in one file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from larspark.language.printing.printer import show
from larspark.runtime.manifest import write_part
from larspark.spark.plan.plan import SparkPlan
from larspark.write.times import TimeWriter


def write_manifest(folder: Path, plan: SparkPlan, times: TimeWriter, tables: Mapping[str, Sequence[str]]) -> None:
    told = {
        "schema": "larspark/manifest@1",
        **times.described,
        "tables": {name: [*columns] for name, columns in tables.items()},
        "inputs": sorted(map(str, plan.analysis.extensional)),
        "program": show(plan.analysis.program),
    }
    write_part(folder, told)
