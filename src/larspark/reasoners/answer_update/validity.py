"""Founded and unfounded validity of rules under partial labelings (IJCAI 2015, section 4).

The four notions partition all labelings; the bachelor thesis on the prototype prints other conditions, which do not.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from larspark.reasoners.answer_update.labels import Status


class Validity(StrEnum):
    FOUNDED_VALID = "fVal"
    """All of the positive body is in, all of the negative body is out."""
    FOUNDED_INVALID = "fInval"
    """Nothing is unknown, and something contradicts the body."""
    UNFOUNDED_VALID = "ufVal"
    """The positive body is in; of the negative body nothing is in, but something is unknown: a choice."""
    UNFOUNDED_INVALID = "ufInval"
    """Everything else."""


def validity(positive: Iterable[Status], negative: Iterable[Status]) -> Validity:
    pos, neg = set(positive), set(negative)
    if pos <= {Status.IN}:
        if neg <= {Status.OUT}:
            return Validity.FOUNDED_VALID
        if Status.IN not in neg:
            return Validity.UNFOUNDED_VALID
    if Status.UNKNOWN not in pos | neg:
        return Validity.FOUNDED_INVALID
    return Validity.UNFOUNDED_INVALID
