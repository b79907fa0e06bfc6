"""The option `--profile`: what each rule costs, on standard error when the run is over."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from larspark.diagnostics import Diagnostic, Rejected
from larspark.reasoners.protocol import Reasoner

if TYPE_CHECKING:
    from larspark.reasoners.interval.state.profile import Profile


def add_profile_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--profile", action="store_true", help="tell at the end what each rule costs: time, rows, facts kept"
    )


@contextmanager
def profiled(reasoner: Reasoner, arguments: argparse.Namespace) -> Iterator[None]:
    """Measure what a reasoner does inside, and tell it, where that is asked for."""
    profile = profile_of(reasoner) if arguments.profile else None
    yield
    if profile is not None:
        tell_profile(profile, reasoner, arguments.format)


def profile_of(reasoner: Reasoner) -> Profile:
    """Let a reasoner measure its rules; `Rejected` when it is not the one that can."""
    from larspark.reasoners.interval import IntervalReasoner  # noqa: PLC0415 - loads kernels

    if not isinstance(reasoner, IntervalReasoner):
        message = "Only the interval reasoner knows what each rule costs."
        raise Rejected([Diagnostic("E509", message, "Leave out --profile, or use the interval reasoner.")])
    return reasoner.profiled()


def tell_profile(profile: Profile, reasoner: Reasoner, output: str) -> None:
    """Of the whole run of a reasoner."""
    from larspark.reasoners.interval import IntervalReasoner  # noqa: PLC0415

    assert isinstance(reasoner, IntervalReasoner)
    print_profile(profile.close(reasoner.engine.network, reasoner.engine.tables), output)


def print_profile(profile: Profile, output: str) -> None:
    if output == "json":
        print(json.dumps({"profile": profile.rows()}, ensure_ascii=False), file=sys.stderr)
    else:
        print("\n".join(profile.lines()), file=sys.stderr)
