"""The events of an auction house with the parameters of the reference generator, seeded, as tables and Parquet files.

Of fifty events one is a person, three are auctions and the others bids. Half of the bids go to a hot auction, three of
four come from a hot bidder, three of four auctions from a hot seller; the others are drawn from those that are current.
Unlike the reference, bidders are numbered as persons are (it adds the first number twice, so that bidders appear as
persons about a thousand persons later), and the same seed gives the same events, also where more of them are made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq

from larspark.bench.nexmark.texts import Numbers, chosen, digits, fill, names

PERSONS, AUCTIONS, TURN = 1, 3, 50
"""In each turn of fifty events the persons come first, then the auctions, then the bids."""
FIRST_ID = 1000
FIRST_CATEGORY, CATEGORIES = 10, 5
ACTIVE_PERSONS, OPEN_AUCTIONS = 1000, 100
AHEAD = 10
"""So many persons and auctions that do not exist yet are drawn as well."""
HOT_AUCTION, HOT_SELLER, HOT_BIDDER, HOT_CHANNEL = 2, 4, 4, 2
"""One in so many is not the hot one."""
HOT_EVERY = 100
"""The hot one changes with so many new auctions or persons."""
CHANNELS = 10_000
PERSON_SIZE, AUCTION_SIZE, BID_SIZE = 200, 500, 100

BEGIN = 1_436_918_400_000
"""2015-07-15T00:00:00Z in milliseconds."""
LONGEST = 10_000
"""Milliseconds of the windows of the queries."""
CHUNK = 100_000
"""Events that are made at once; a multiple of a turn."""

LITTLE, LITTLE_RATE = 20_000, 1_000

STATES = ("AZ", "CA", "ID", "OR", "WA", "WY")
CITIES = (
    "Phoenix", "Los Angeles", "San Francisco", "Boise", "Portland", "Bend", "Redmond", "Seattle", "Kent", "Cheyenne",
)  # fmt: skip
FIRST_NAMES = ("Peter", "Paul", "Luke", "John", "Saul", "Vicky", "Kate", "Julie", "Sarah", "Deiter", "Walter")
LAST_NAMES = ("Shultz", "Abrams", "Spencer", "White", "Bartels", "Walton", "Smith", "Jones", "Noris")
HOT_CHANNELS = ("Google", "Facebook", "Baidu", "Apple")


@dataclass(frozen=True)
class GeneratedEvents:
    """What is generated."""

    events: int
    rate: int = 10_000
    """Events in a second of event time."""
    seed: int = 1
    begin: int = BEGIN
    """The millisecond of the first event."""

    def time(self, number: Numbers) -> Numbers:
        """The millisecond of an event."""
        return self.begin + number * 1000 // self.rate

    @property
    def little(self) -> GeneratedEvents:
        """What engines run over before they are measured, and where their answers are compared: some windows."""
        return replace(self, events=min(LITTLE, self.events), rate=min(LITTLE_RATE, self.rate))

    @property
    def end(self) -> int:
        """When the last window over the events has closed."""
        last = int(self.time(np.array([self.events - 1]))[0])
        return (last // LONGEST + 2) * LONGEST


def tables(stream: GeneratedEvents) -> dict[str, pa.Table]:
    """Persons, auctions and bids, each in the order of time."""
    parts = list(chunks(stream))
    return {name: pa.concat_tables([part[name] for part in parts]) for name in ("person", "auction", "bid")}


def write(stream: GeneratedEvents, folder: Path, *, as_text: bool = False) -> None:
    """Parquet files, one for each kind of event; as text also CSV without names, for engines that read no Parquet."""
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as open_files:
        writers: dict[str, pq.ParquetWriter] = {}
        texts: dict[str, BinaryIO] = {}
        for part in chunks(stream):
            for name, table in part.items():
                if name not in writers:
                    writer = pq.ParquetWriter(folder / f"{name}.parquet", table.schema)
                    writers[name] = open_files.enter_context(writer)
                    if as_text:
                        texts[name] = open_files.enter_context((folder / f"{name}.csv").open("wb"))
                writers[name].write_table(table)
                if as_text:
                    pyarrow.csv.write_csv(_in_milliseconds(table), texts[name], _PLAIN_CSV)


_PLAIN_CSV = pyarrow.csv.WriteOptions(include_header=False, quoting_style="none")


def _in_milliseconds(table: pa.Table) -> pa.Table:
    place = table.schema.get_field_index("time")
    return table.set_column(place, "time", table["time"].cast(pa.int64()))


def chunks(stream: GeneratedEvents) -> Iterator[dict[str, pa.Table]]:
    """The events, some at a time."""
    channels = _channels(stream.seed)
    for first in range(0, stream.events, CHUNK):
        random = np.random.default_rng([stream.seed, first])
        made = np.arange(first, first + CHUNK)
        place = made % TURN
        person = place < PERSONS
        auction = ~person & (place < PERSONS + AUCTIONS)
        bid = ~person & ~auction
        parts = {
            "person": _persons(made[person], stream, random),
            "auction": _auctions(made[auction], stream, random),
            "bid": _bids(made[bid], stream, random, channels),
        }
        yield {name: _until(table, stream.events) for name, table in parts.items()}


def _until(table: pa.Table, events: int) -> pa.Table:
    """A whole chunk is made always, so that a longer stream begins like a shorter one."""
    return table.filter(pc.less(table["n"], events))


def _last_person(number: Numbers) -> Numbers:
    """The newest person at an event, from 0."""
    return number // TURN * PERSONS + np.minimum(number % TURN, PERSONS - 1)


def _last_auction(number: Numbers) -> Numbers:
    """The newest auction at an event, from 0; -1 before the first one."""
    turn, place = number // TURN, number % TURN - PERSONS
    return turn * AUCTIONS + np.clip(place, -1, AUCTIONS - 1)


def _some_person(number: Numbers, random: np.random.Generator) -> Numbers:
    count = _last_person(number) + 1
    active = np.minimum(count, ACTIVE_PERSONS)
    return count - active + random.integers(0, active + AHEAD)


def _some_auction(number: Numbers, random: np.random.Generator) -> Numbers:
    newest = _last_auction(number)
    oldest = np.maximum(newest - OPEN_AUCTIONS, 0)
    return oldest + random.integers(0, newest - oldest + 1 + AHEAD)


def _hot(newest: Numbers) -> Numbers:
    return newest // HOT_EVERY * HOT_EVERY


def _often(count: int, ratio: int, random: np.random.Generator) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return random.integers(0, ratio, count) > 0


def _prices(count: int, random: np.random.Generator) -> Numbers:
    return np.round(10 ** (random.random(count) * 6) * 100).astype(np.int64)


def _bytes(*columns: pa.Array) -> Numbers:
    total: Numbers = sum(pc.binary_length(column).to_numpy(zero_copy_only=False).astype(np.int64) for column in columns)
    return total


def _table(number: Numbers, stream: GeneratedEvents, columns: Mapping[str, object]) -> pa.Table:
    times = pa.array(stream.time(number).astype("datetime64[ms]"))
    return pa.table({"n": number, **columns, "time": times})


def _persons(number: Numbers, stream: GeneratedEvents, random: np.random.Generator) -> pa.Table:
    count = len(number)
    given, family = (chosen(random.integers(0, len(of), count), of) for of in (FIRST_NAMES, LAST_NAMES))
    texts = {
        "name": pc.binary_join_element_wise(given, family, " "),
        "email": pc.binary_join_element_wise(
            names(random, count, 7, "_"), "@", names(random, count, 5, "_"), ".com", ""
        ),
        "card": pc.binary_join_element_wise(*(digits(random, count) for _ in range(4)), " "),
        "city": chosen(random.integers(0, len(CITIES), count), CITIES),
        "state": chosen(random.integers(0, len(STATES), count), STATES),
    }
    extra = fill(random, 8 + _bytes(*texts.values()), PERSON_SIZE)
    return _table(number, stream, {"id": _last_person(number) + FIRST_ID, **texts, "extra": extra})


def _auctions(number: Numbers, stream: GeneratedEvents, random: np.random.Generator) -> pa.Table:
    count = len(number)
    item, description = names(random, count, 20), names(random, count, 100)
    initial = _prices(count, random)
    until_renewed = stream.time(number + OPEN_AUCTIONS * TURN // AUCTIONS) - stream.time(number)
    lengths = 1 + random.integers(0, np.maximum(2 * until_renewed, 1))
    hot = _often(count, HOT_SELLER, random)
    sellers = np.where(hot, _hot(_last_person(number)), _some_person(number, random))
    columns = {
        "id": _last_auction(number) + FIRST_ID,
        "item": item,
        "description": description,
        "initial": initial,
        "reserve": initial + _prices(count, random),
        "expires": stream.time(number) + lengths,
        "seller": sellers + FIRST_ID,
        "category": FIRST_CATEGORY + random.integers(0, CATEGORIES, count),
        "extra": fill(random, 8 * 7 + _bytes(item, description), AUCTION_SIZE),
    }
    return _table(number, stream, columns)


def _bids(
    number: Numbers, stream: GeneratedEvents, random: np.random.Generator, channels: tuple[pa.Array, pa.Array]
) -> pa.Table:
    count = len(number)
    on_hot = _often(count, HOT_AUCTION, random)
    by_hot = _often(count, HOT_BIDDER, random)
    auctions = np.where(on_hot, _hot(_last_auction(number)), _some_auction(number, random))
    bidders = np.where(by_hot, _hot(_last_person(number)) + 1, _some_person(number, random))
    hot_places = CHANNELS + random.integers(0, len(HOT_CHANNELS), count)
    places = np.where(_often(count, HOT_CHANNEL, random), hot_places, random.integers(0, CHANNELS, count))
    columns = {
        "auction": auctions + FIRST_ID,
        "bidder": bidders + FIRST_ID,
        "price": _prices(count, random),
        "channel": chosen(places, channels[0]),
        "url": chosen(places, channels[1]),
        "extra": fill(random, np.full(count, 8 * 4), BID_SIZE),
    }
    return _table(number, stream, columns)


def _channels(seed: int) -> tuple[pa.Array, pa.Array]:
    """The names and addresses of all channels, the hot ones last; one of ten others has no number in its address."""
    random = np.random.default_rng(seed)
    count = CHANNELS + len(HOT_CHANNELS)
    parts = (names(random, count, 5, "_") for _ in range(3))
    urls = pc.binary_join_element_wise("https://www.nexmark.com", *parts, "item.htm?query=1", "/")
    numbers = random.permutation(CHANNELS).astype(str)
    numbered = _often(CHANNELS, 10, random)
    endings = [f"&channel_id={number}" if has else "" for number, has in zip(numbers, numbered, strict=True)]
    called = [*(f"channel-{number}" for number in range(CHANNELS)), *HOT_CHANNELS]
    return pa.array(called), pc.binary_join_element_wise(urls, pa.array([*endings, *[""] * len(HOT_CHANNELS)]), "")
