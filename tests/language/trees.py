"""Random trees of everything that has a spelling, for the round trip through the printer."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from larspark.language.facts import Signature
from larspark.language.tree import (
    HALF_OPEN,
    RANGE,
    UNBOUNDED,
    Aggregate,
    AggregateElement,
    Always,
    And,
    At,
    Atom,
    Background,
    Call,
    Clock,
    ColumnType,
    Comparison,
    Const,
    Constant,
    Duration,
    Extent,
    FilterWindow,
    Formula,
    FunctionImport,
    Implies,
    Input,
    IntervalWindow,
    Keyed,
    Not,
    Now,
    Operation,
    Or,
    PartitionWindow,
    Pattern,
    Prefer,
    Program,
    Ranked,
    Record,
    Reset,
    Rule,
    SessionWindow,
    Show,
    Some,
    Temporal,
    Term,
    TimeWindow,
    Timezone,
    Truth,
    TupleWindow,
    Variable,
    Window,
    Windowed,
)
from larspark.language.values import Value, normal

names = st.sampled_from(["a", "b", "tram", "all", "of", "from", "to", "per", "hop", "input", "min", "s", "ms", "as"])
symbols = names | st.sampled_from(["not", "in", "Two Words", "", '"', "\\", "\n\t\r", "1", "X", "%", "ü"]) | st.text()
numbers = st.integers() | st.decimals(-1000, 1000, places=3).map(lambda d: normal(Decimal(d)))
values: SearchStrategy[Value] = symbols | numbers
variables = st.sampled_from(["X", "Y", "T", "Id1", "A_b"]).map(Variable)
units = st.sampled_from(["ms", "s", "min", "h", "d"])
durations = st.builds(Duration, st.integers(0, 10**6), units)
comparisons = st.sampled_from(["=", "!=", "<", "<=", ">", ">="])
signatures = st.builds(Signature, symbols, st.integers(0, 4))

_leaf_terms: SearchStrategy[Term] = st.one_of(st.builds(Constant, values), variables, st.just(Now()), durations)
terms: SearchStrategy[Term] = st.recursive(
    _leaf_terms,
    lambda inner: st.one_of(
        st.builds(Operation, st.sampled_from([*"+-*/%^", RANGE]), inner, inner),
        st.builds(Operation, st.just("-"), st.just(Constant(0)), inner),
        st.builds(Call, symbols, st.lists(inner, min_size=1, max_size=2).map(tuple)),
    ),
    max_leaves=6,
)

extents: SearchStrategy[Extent] = st.one_of(
    st.integers(0, 99), durations, st.builds(Constant, symbols), st.just(UNBOUNDED)
)
counts: SearchStrategy[Extent] = st.one_of(st.integers(0, 9), st.builds(Constant, symbols), st.just(UNBOUNDED))
patterns = st.builds(Pattern, symbols, st.lists(st.none() | values, max_size=3).map(tuple))


def _keyed(of: list[Signature], number: int) -> SearchStrategy[tuple[Keyed, ...]]:
    """Predicates with as many keys each, which may stand in other places."""
    keys = (st.permutations(range(one.arity)).map(lambda places: tuple(places[:number])) for one in of)
    return st.tuples(*(st.builds(Keyed, st.just(one), key) for one, key in zip(of, keys, strict=True)))


keyed = st.lists(signatures, min_size=1, max_size=3, unique=True).flatmap(
    lambda of: st.integers(0, min(one.arity for one in of)).flatmap(lambda number: _keyed(of, number))
)
partitions = st.builds(PartitionWindow, counts, counts, keyed, st.booleans())
sessions = st.builds(SessionWindow, extents, keyed)
windows: SearchStrategy[Window] = st.one_of(
    sessions,
    st.builds(TimeWindow, extents, extents, extents),
    st.builds(TimeWindow, extents, st.just(HALF_OPEN), extents),
    st.builds(TupleWindow, counts, counts, st.booleans()),
    partitions,
    st.builds(FilterWindow, st.lists(patterns, min_size=1, max_size=2).map(tuple)),
    st.builds(IntervalWindow, terms, terms),
)

atoms = st.builds(Atom, symbols, st.lists(terms, max_size=2).map(tuple))


def _several(inner: SearchStrategy[Formula]) -> SearchStrategy[tuple[Formula, ...]]:
    return st.lists(inner, min_size=2, max_size=3).map(tuple)


def _elements(inner: SearchStrategy[Formula]) -> SearchStrategy[AggregateElement]:
    return st.builds(
        AggregateElement, st.lists(terms, min_size=1, max_size=2).map(tuple), st.lists(inner, max_size=2).map(tuple)
    )


def _ranks(inner: SearchStrategy[Formula]) -> SearchStrategy[Ranked]:
    # A tuple that begins with a symbol is read as a formula; ranks are numbers.
    ranks = st.one_of(variables, st.builds(Constant, numbers), st.just(Now()))
    result = st.tuples(ranks, terms) | st.tuples(ranks, terms, terms)
    return st.builds(Ranked, st.sampled_from(["top", "bottom"]), result, terms, _elements(inner))


def _aggregates(inner: SearchStrategy[Formula]) -> SearchStrategy[Aggregate]:
    element = _elements(inner)
    functions = st.sampled_from(["count", "sum", "min", "max", "avg"])
    return st.builds(Aggregate, functions, comparisons, terms, st.lists(element, max_size=2).map(tuple))


formulas: SearchStrategy[Formula] = st.recursive(
    st.one_of(atoms, st.builds(Truth, st.booleans()), st.builds(Comparison, comparisons, terms, terms), _ranks(atoms)),
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.builds(And, _several(inner)),
        st.builds(Or, _several(inner)),
        st.builds(Implies, inner, inner),
        st.builds(Some, inner),
        st.builds(Always, inner),
        st.builds(At, terms, inner),
        st.builds(Windowed, windows, inner),
        st.builds(Windowed, windows, st.builds(Some, atoms)),
        st.builds(Reset, inner),
        _aggregates(inner),
    ),
    max_leaves=8,
)
rules = st.builds(Rule, formulas, st.lists(formulas, max_size=3).map(tuple))
column_names = symbols | st.sampled_from(["at", "in", "now", "not"])


def _typed_input(columns: list[tuple[str, ColumnType | None]]) -> Input:
    names, types = zip(*columns, strict=True)
    return Input(Signature("p", len(names)), names, types if any(types) else ())


directives = st.one_of(
    st.builds(Clock, durations),
    st.builds(Timezone, st.sampled_from(["UTC", "Europe/Vienna", "+02:00"])),
    st.builds(Const, names, values),
    st.builds(Show, st.lists(signatures, min_size=1, max_size=2).map(tuple)),
    st.builds(Input, signatures),
    st.lists(column_names, min_size=1, max_size=3).map(lambda c: Input(Signature("p", len(c)), tuple(c))),
    st.lists(st.tuples(column_names, st.none() | st.sampled_from(ColumnType)), min_size=1, max_size=3).map(
        _typed_input
    ),
    st.lists(column_names, min_size=1, max_size=3, unique=True).map(
        lambda c: Show((Signature("q", 0), Signature("p", len(c))), ((), tuple(c)))
    ),
    st.builds(Background, st.text(), signatures),
    st.builds(FunctionImport, signatures, st.text()),
    st.builds(Record, signatures),
    st.builds(Temporal, signatures),
    st.builds(
        Prefer,
        terms,
        st.integers(0, 9),
        st.lists(terms, max_size=2).map(tuple),
        st.lists(formulas, min_size=1, max_size=2).map(tuple),
    ),
)
programs = st.builds(Program, st.lists(rules, max_size=3).map(tuple), st.lists(directives, max_size=3).map(tuple))
