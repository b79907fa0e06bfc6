"""The files that a stream has read and cannot read again, from the logs that Spark keeps of its micro-batches.

`offsets/7` says up to which entry of its log each source was read in micro-batch 7, `commits/7` that this is done, and
`sources/0/3` lists the files of an entry; from time to time all entries so far go into one, `sources/0/9.compact`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlparse

from larspark.spark.stream.checkpoint import KEPT


def finished_files(logs: Path) -> Iterator[Path]:
    """The files of micro-batches that are done and that no repetition starts from; `logs` is Spark's checkpoint."""
    done = max((int(one.name) for one in (logs / "commits").glob("[0-9]*")), default=-1) - KEPT
    offsets = logs / "offsets" / str(done)
    if not offsets.exists():
        return
    _version, _settings, *ends = offsets.read_text(encoding="utf-8").splitlines()
    for source, end in enumerate(ends):
        last = json.loads(end).get("logOffset") if end.startswith("{") else None
        if last is not None:
            for path, entry in _listed(logs / "sources" / str(source)):
                if entry <= last:
                    yield path


def _listed(log: Path) -> Iterator[tuple[Path, int]]:
    """Every file with the number of its entry."""
    for one in log.glob("[0-9]*"):
        for line in one.read_text(encoding="utf-8").splitlines()[1:]:
            found = json.loads(line)
            yield Path(unquote(urlparse(found["path"]).path)), found["batchId"]
