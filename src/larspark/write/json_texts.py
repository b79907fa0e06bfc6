"""Texts as JSON has them."""

from __future__ import annotations

import json

import pyarrow as pa
import pyarrow.compute as pc


def json_texts(texts: pa.Array) -> pa.Array:
    """Texts as JSON has them, in quotes."""
    if not pc.any(pc.match_substring_regex(texts, r'["\\\x00-\x1f\x7f]')).as_py():
        return pc.binary_join_element_wise('"', texts, '"', "")
    spelled = texts.dictionary_encode()
    quoted = [json.dumps(text, ensure_ascii=False) for text in spelled.dictionary.to_pylist()]
    return pa.array(quoted, pa.string()).take(spelled.indices)
