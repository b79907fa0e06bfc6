"""The order in which processes compile kernels: callees before callers, so that nothing is compiled twice."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Condition

from larspark.kernels.catalogue import called_by, length


class Order:
    """Hands out kernels to threads; those first that begin the longest way to one that nobody calls."""

    def __init__(self, kernels: Iterable[str]) -> None:
        self._callers: dict[str, set[str]] = {name: set() for name in kernels}
        self._waiting = {name: called_by(name) & self._callers.keys() for name in self._callers}
        for caller, callees in self._waiting.items():
            for callee in callees:
                self._callers[callee].add(caller)
        self._way: dict[str, int] = {}
        self._done: set[str] = set()
        self.count = len(self._waiting)
        self._changed = Condition()
        self._broken = False

    def take(self) -> str | None:
        """The next kernel, when all that it calls are done; none if there is none left."""
        with self._changed:
            while self._waiting and not self._broken:
                ready = [name for name, callees in self._waiting.items() if callees <= self._done]
                if ready:
                    chosen = max(ready, key=self._way_from)
                    del self._waiting[chosen]
                    return chosen
                self._changed.wait()
        return None

    def put(self, name: str) -> None:
        """A kernel is done."""
        with self._changed:
            self._done.add(name)
            self._changed.notify_all()

    @property
    def done(self) -> int:
        """How many are."""
        return len(self._done)

    @property
    def is_done(self) -> bool:
        return self.done == self.count

    def give_up(self) -> None:
        """What is left is compiled by numba where it is used."""
        with self._changed:
            self._broken = True
            self._changed.notify_all()

    def _way_from(self, name: str) -> int:
        if name not in self._way:
            self._way[name] = length(name) + max(map(self._way_from, self._callers[name]), default=0)
        return self._way[name]
