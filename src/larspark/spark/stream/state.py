"""Where an operator keeps its state: bytes under names, in Spark's state store or something like it."""

from __future__ import annotations

from typing import Any, Protocol


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
