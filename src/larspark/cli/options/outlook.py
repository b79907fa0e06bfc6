"""How far foresight looks and how much it says: options that several commands share."""

from __future__ import annotations

import argparse

from larspark.hypothetical.foresight import Outlook
from larspark.hypothetical.online.query import WatchOptions
from larspark.language.parser import parse_fact
from larspark.language.values import Value


def add_outlook_arguments(parser: argparse.ArgumentParser, forget: int | None) -> None:
    """`forget` is the default for how long certain answers are repeated; None: for ever."""
    add = parser.add_argument
    add("--horizon", type=natural, default=10, metavar="N", help="how many time points to look ahead (default: 10)")
    add("--limit", type=natural, metavar="N", help="foresee the N nearest answers per goal (default: all)")
    add("--bound", type=natural, metavar="N", help="how often a recursive predicate may call itself")
    kept = "keep them" if forget is None else str(forget)
    add(
        "--forget",
        type=natural,
        default=forget,
        metavar="N",
        help=f"drop certain answers N time points later (default: {kept})",
    )
    add("--constants", type=_constants, metavar="A,B", help="all object constants there are, where that matters")


def outlook_of(arguments: argparse.Namespace, delay: int) -> Outlook:
    options = WatchOptions(arguments.bound, arguments.forget, delay, arguments.constants)
    return Outlook(arguments.horizon, arguments.limit, options)


def natural(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError("a natural number")
    return int(text)


def _constants(text: str) -> tuple[Value, ...]:
    return parse_fact(f"constants({text})").args
