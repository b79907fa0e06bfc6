"""Who wants to know what changes: callbacks, and asynchronous iterators."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import TypeAlias

from larspark.reasoners.protocol import Change

Callback: TypeAlias = Callable[[Change], object]


class Listeners:
    """They are told in the order in which they came; nothing is decoded when there is none."""

    def __init__(self) -> None:
        self._callbacks: dict[object, Callback] = {}
        self._waiting: list[_Changes] = []
        self._consistent = True

    def add(self, callback: Callback) -> Callable[[], None]:
        key = object()
        self._callbacks[key] = callback

        def remove() -> None:
            self._callbacks.pop(key, None)

        return remove

    def changes(self) -> AsyncIterator[Change]:
        found = _Changes()
        self.add(found.put)
        self._waiting.append(found)
        return found

    def __bool__(self) -> bool:
        """Whether anybody listens."""
        return bool(self._callbacks)

    def tell(self, change: Change) -> None:
        turned, self._consistent = change.consistent != self._consistent, change.consistent
        if self._callbacks and (turned or change):
            for callback in tuple(self._callbacks.values()):
                callback(change)

    def close(self) -> None:
        """Everybody is told no more, iterators come to an end."""
        self._callbacks.clear()
        for one in self._waiting:
            one.put(None)
        self._waiting.clear()


class _Changes(AsyncIterator[Change]):
    """Changes wait here until they are fetched; they may be put from another thread. None is the end."""

    def __init__(self) -> None:
        self._changes: deque[Change | None] = deque()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._arrived = asyncio.Event()

    def put(self, change: Change | None) -> None:
        self._changes.append(change)
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._arrived.set)

    async def __anext__(self) -> Change:
        self._loop = asyncio.get_running_loop()
        while not self._changes:
            self._arrived.clear()
            if not self._changes:
                await self._arrived.wait()
        change = self._changes[0]
        if change is None:
            raise StopAsyncIteration
        self._changes.popleft()
        return change
