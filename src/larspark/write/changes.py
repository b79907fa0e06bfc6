"""Only what changes: a line for each evaluation at which an atom appears or disappears."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from larspark.write.atoms import timed_texts
from larspark.write.json_texts import json_texts
from larspark.write.points import Span, joined_texts, time_points
from larspark.write.times import TimeWriter


def text_changes(appearing: Span, disappearing: Span, times: TimeWriter) -> pa.Array:
    """`36: +p, +q(1), -@68 r`."""
    plus, minus = (_texts(span, sign, times) for span, sign in ((appearing, "+"), (disappearing, "-")))
    both = pc.if_else(pc.and_(pc.not_equal(plus, ""), pc.not_equal(minus, "")), ", ", "")
    note = pc.if_else(_void(appearing), " (no answer stream)", "")
    lines = pc.binary_join_element_wise(times.texts(time_points(appearing)), ": ", plus, both, minus, note, "")
    return lines.filter(_some(plus, minus))


def json_changes(appearing: Span, disappearing: Span, times: TimeWriter) -> pa.Array:
    """`{"time": 36, "+": ["p", "q(1)"], "-": ["@68 r"]}`; where there is no answer stream, `"consistent": false`."""
    plus, minus = (
        joined_texts(span, span.blocks, [json_texts(timed_texts(block, times)) for block in span.blocks])
        for span in (appearing, disappearing)
    )
    note = pc.if_else(_void(appearing), ', "consistent": false', "")
    told = times.json(time_points(appearing))
    lines = pc.binary_join_element_wise('{"time": ', told, ', "+": [', plus, '], "-": [', minus, "]", note, "}", "")
    return lines.filter(_some(plus, minus))


def _texts(span: Span, sign: str, times: TimeWriter) -> pa.Array:
    signed = [pc.binary_join_element_wise(sign, timed_texts(block, times), "") for block in span.blocks]
    return joined_texts(span, span.blocks, signed)


def _some(plus: pa.Array, minus: pa.Array) -> pa.Array:
    return pc.or_(pc.not_equal(plus, ""), pc.not_equal(minus, ""))


def _void(span: Span) -> pa.Array:
    mask = np.zeros(span.until - span.first + 1, np.bool_)
    mask[span.void - span.first] = True
    return pa.array(mask)
