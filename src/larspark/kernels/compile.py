"""A process that compiles all kernels: it makes itself ready once, then works as several copies of itself.

To import numba and to make it ready takes longer than most kernels do, so the copies are made afterwards. How many of
how many kernels are compiled goes out line by line.
"""

from __future__ import annotations

import gc
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Lock
from typing import TypeAlias

import numba

from larspark.kernels import shortcuts
from larspark.kernels.catalogue import kernel_named, names
from larspark.kernels.order import Order
from larspark.kernels.signatures import signatures

Names: TypeAlias = "Connection[str, str]"
"""Names of kernels to be compiled go one way, those of compiled ones the other."""

_TELLING = Lock()
"""Held by the thread that writes a line."""


def main(copies: int) -> int:
    order = Order(names())
    gc.disable()  # a tenth of the time, and the process ends soon
    shortcuts.take_all()
    _make_ready()
    connections: list[Names] = []
    for _ in range(copies):
        _add_copy(connections)
    tell(order)
    with ThreadPoolExecutor(copies) as pool:  # only now: a copy of a process has none of its threads
        for outcome in [pool.submit(hand_out, order, connection) for connection in connections]:
            outcome.result()
    return 0 if order.is_done else 1


def _make_ready() -> None:
    """numba finds all functions that it knows when the first one is compiled."""
    numba.njit("int64(int64)")(lambda number: number)


def _add_copy(connections: list[Names]) -> None:
    context = get_context("fork")
    here, there = context.Pipe()
    connections.append(here)
    context.Process(target=_compile, args=(there, connections), daemon=True).start()
    there.close()


def _compile(connection: Names, others: list[Names]) -> None:
    for other in others:
        other.close()  # ends that stay open in a copy would hide from the others that this process has died
    with suppress(EOFError):
        while True:
            name = connection.recv()
            kernel = kernel_named(name)
            for signature in signatures(kernel.py_func):
                kernel.compile(signature)
            connection.send(name)


def hand_out(order: Order, connection: Names) -> None:
    """Hand kernels to one copy until none is left, or until it breaks down."""
    try:
        while name := order.take():
            connection.send(name)
            order.put(connection.recv())
            tell(order)
    except (EOFError, OSError):
        order.give_up()


def tell(order: Order) -> None:
    with _TELLING:
        print(order.done, order.count, flush=True)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
