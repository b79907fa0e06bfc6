"""Stateful operators of Spark: keyed by bucket, state in Spark's state store (RocksDB).

When a query starts, Spark runs a Python process per operator only to ask which state it has. So this module imports
next to nothing, and what the operator does travels packed until the first rows come. It is packed for the way only, as
Spark itself sends functions: by the driver of this run for its own workers. No state is kept in this form.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Protocol

from pyspark.sql import Row
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle


class State(Protocol):
    """The state of one key."""

    def get(self, name: str) -> bytes | None: ...

    def put(self, name: str, data: bytes) -> None: ...

    def remove(self, name: str) -> None: ...


class SparkState:
    """The state of the current key, in a map of Spark's."""

    def __init__(self, state: Any) -> None:
        self._state = state

    def get(self, name: str) -> bytes | None:
        found = self._state.getValue((name,))
        return None if found is None else bytes(found[0])

    def put(self, name: str, data: bytes) -> None:
        self._state.updateValue((name,), (data,))

    def remove(self, name: str) -> None:
        self._state.removeKey((name,))


class StatefulOperator(Protocol):
    def __call__(self, label: int, rows: Iterator[Row], state: State) -> Iterator[Row]:
        """What follows from the rows of a micro-batch with this key, and from its state."""
        ...


class Processor(StatefulProcessor):
    """Any operator, as Spark wants it."""

    def __init__(self, operator: StatefulOperator) -> None:
        self._packed = pickle.dumps(operator)

    def init(self, handle: StatefulProcessorHandle) -> None:
        self._state = SparkState(handle.getMapState("kept", "name string", "data binary"))

    def handleInputRows(self, key: Any, rows: Iterator[Row], timerValues: Any) -> Iterator[Row]:  # noqa: N802, N803
        from larspark.spark.session.workers import keep_loaded  # noqa: PLC0415 - see above

        del timerValues
        operator = _unpacked(self._packed)
        yield from operator(key[0], rows, self._state)
        keep_loaded(operator)

    def close(self) -> None: ...


@lru_cache(64)
def _unpacked(packed: bytes) -> StatefulOperator:
    """Once in a worker process; Spark sends the operator with every task."""
    operator: StatefulOperator = pickle.loads(packed)
    return operator
