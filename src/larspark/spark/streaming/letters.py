"""Records that cannot be used, with the reason: those that are bad, and atoms that come too late."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Row

from larspark.language.facts import Fact, Signature
from larspark.spark.cells import decode_values
from larspark.spark.evaluate.messages import Batches
from larspark.spark.intake import REFUSED
from larspark.spark.plan import Plan
from larspark.spark.rows import OTHER
from larspark.spark.streaming.log import Head
from larspark.spark.streaming.parcels import Content, Parcel, packed, unpacked
from larspark.spark.streaming.shelf import Shelf
from larspark.spark.streaming.timeline import Patience, Pulse

LATE = "E412"
LETTERS = ", ".join(f"{name} string" for name in (*REFUSED, "source"))


def late_letters(late: pa.Table, numbers: Mapping[Signature, int], watermark: int) -> pa.Table:
    """Atoms for time points that are final."""
    told = f"{LATE}: The atom arrives late; everything up to {watermark} is final."
    names = {number: signature for signature, number in numbers.items()}
    texts = []
    for row in range(len(late)):
        one = late.slice(row, 1)
        number = one.column("predicate")[0].as_py()
        record: dict[str, object] = {"time": one.column("time")[0].as_py()}
        if number != OTHER:
            (args,) = decode_values(one, names[number].arity)
            record["atom"] = str(Fact(names[number].predicate, args))
        texts.append(json.dumps(record, ensure_ascii=False))
    columns = [pa.array([told] * len(late), pa.string()), pa.array(texts, pa.string()), late.column("source")]
    return pa.table(columns, names=[*REFUSED, "source"])


@dataclass(frozen=True)
class Letters:
    """An operator for these records alone: all atoms come to it, and it knows what is final."""

    numbers: Mapping[Signature, int]
    patience: Patience
    stream: str

    @classmethod
    def of(cls, plan: Plan, patience: Patience, stream: str) -> Letters:
        return cls(plan.vocabulary.numbers, patience, stream)

    def __call__(self, label: int, rows: Iterator[Row], shelf: Shelf) -> Iterator[Row]:
        del label
        for letters in self.step((Parcel(*row) for row in rows), shelf):
            if len(letters):
                yield Row(payload=packed(letters))

    def step(self, parcels: Iterable[Parcel], shelf: Shelf) -> Iterator[pa.Table]:
        saved = shelf.get("head")
        head = Head.load(None if saved is None else saved.decode())
        head.check(self.stream)
        before, pulses = head.timeline, list[Pulse]()
        for parcel in parcels:
            if parcel.content == Content.REFUSED:
                yield unpacked(parcel.payload or b"")
            elif parcel.stage == 0:
                pulses.append(Pulse.load(parcel.pulse or ""))
                if parcel.payload is not None:
                    arrivals = unpacked(parcel.payload)
                    late = arrivals.filter(pc.less_equal(arrivals.column("time"), before.watermark))
                    yield late_letters(late, self.numbers, before.watermark)
        shelf.put("head", Head(before.moved(pulses, self.patience), stream=self.stream).dump().encode())


def opened_letters(batches: Batches) -> Batches:
    """For `mapInArrow`."""
    for batch in batches:
        for payload in batch.column("payload").to_pylist():
            yield from unpacked(payload).to_batches()
