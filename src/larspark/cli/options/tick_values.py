"""The values of the options of `tick`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TypeVar

from larspark.diagnostics import Rejected
from larspark.language.tree import Duration
from larspark.read.live.addresses import Address, is_live, read_address
from larspark.reasoners.registry import REASONERS
from larspark.tick.timing import read_timing

Parsed = TypeVar("Parsed")


def listed(text: str) -> list[str]:
    return [part for part in text.split(",") if part]


def input_names(text: str) -> list[str]:
    names = listed(text)
    endpoint_names(",".join(name for name in names if not is_live(name)))
    return names


def endpoint_names(text: str) -> list[str]:
    names = listed(text)
    wrong = [name for name in names if name.startswith("socket:") and port_of(name) is None]
    if wrong:
        raise argparse.ArgumentTypeError(f"`{wrong[0]}` is not socket:PORT")
    return names


def filter_of(text: str) -> str | list[str]:
    return text if text in ("none", "inferences") else listed(text)


def reasoner_pair(text: str) -> list[str]:
    names = listed(text)
    if len(names) != 2 or not set(names) <= set(REASONERS) or names[0] == names[1]:
        raise argparse.ArgumentTypeError(f"two different ones of {', '.join(REASONERS)}")
    return names


def port_of(name: str) -> int | None:
    kind, _, number = name.partition(":")
    return int(number) if kind == "socket" and number.isdigit() and int(number) < 1 << 16 else None


def address_of(name: str, host: str) -> Address | None:
    """Where a live source is; `socket:PORT` is a port that clients call."""
    port = port_of(name)
    if port is not None:
        return Address("listen", host, port)
    return read_address(name) if is_live(name) else None


def positive_speed(text: str) -> float:
    speed = float(text)
    if not speed > 0:
        raise ValueError("a positive number")
    return speed


def line_count(text: str) -> int:
    if not text.isdigit() or int(text) == 0:
        raise ValueError("a positive number of lines")
    return int(text)


def checked(read: Callable[[str], Parsed]) -> Callable[[str], Parsed]:
    """The reader's own words in the error message."""

    def checked(text: str) -> Parsed:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from error
        except Rejected as rejected:
            raise argparse.ArgumentTypeError(rejected.diagnostics[0].message) from rejected

    return checked


def output_timing(text: str) -> str:
    read_timing(text, Duration(1, "ms"))  # whether it fits the clock is known only with the program
    return text
