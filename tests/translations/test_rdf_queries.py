"""Single features of C-SPARQL and CQELS."""

from __future__ import annotations

import pytest

from larspark.language.facts import Fact
from larspark.language.printing.printer import show
from larspark.language.tree import Duration, Program
from larspark.language.values import Value
from larspark.translations.rdf.execution import Pull
from larspark.translations.rdf.parser import parse
from larspark.translations.rdf.queries import Range
from larspark.translations.rdf.translate import cqels, csparql
from support.translated import judged

S = "<http://s>"


def triple(time: int, subject: str, predicate: str, value: Value) -> tuple[int, Fact]:
    return time, Fact("triple", (f"<http://{subject}>", f"<http://{predicate}>", value, S))


DATA = [
    triple(1, "a", "p", 1),
    triple(2, "a", "q", '"x"@en'),
    triple(2, "b", "p", "<http://a>"),
    triple(6, "b", "q", '"x"'),
]


def rows(program: Program, now: int, *background: Fact) -> set[tuple[Value, ...]]:
    shown = next(iter(program.directives[-1].signatures))  # type: ignore[union-attr]
    return {fact.args for fact in judged(program, DATA, now, background).output(now) if fact.signature == shown}


def selected(columns: str, where: str, now: int = 6) -> set[tuple[Value, ...]]:
    text = f"SELECT {columns} FROM STREAM {S} [ALL] WHERE {{ {where} }}"
    return rows(csparql(text, execution=Pull(1)), now)


def test_star_gives_all_variables_in_order_of_appearance() -> None:
    assert selected("*", "?x <http://p> ?y . _:hidden <http://q> ?z . FILTER(?y = 1)", 2) == {
        ("<http://a>", 1, '"x"@en')
    }


def test_literals_are_kept_apart_by_language_and_type() -> None:
    assert selected("?x", '?x <http://q> "x"') == {("<http://b>",)}
    assert selected("?x", '?x <http://q> "x"@en') == {("<http://a>",)}
    assert selected("?x", "?x <http://p> 1.0") == {("<http://a>",)}
    assert selected("?x", '?x <http://p> "01"^^<http://www.w3.org/2001/XMLSchema#integer>') == {("<http://a>",)}


def test_predicate_lists_and_bound() -> None:
    where = "?x <http://p> ?y OPTIONAL { ?y <http://q> ?z } FILTER(!BOUND(?z))"
    assert selected("?x ?z", where) == {("<http://a>", "unbound")}
    assert selected("?x", "?x <http://p> ?y ; <http://q> ?z .") == {("<http://a>",), ("<http://b>",)}


def test_static_graphs() -> None:
    named = Fact("graph", ("<http://a>", "<http://p>", 5, "<http://g>"))
    unnamed = Fact("graph", ("<http://a>", "<http://p>", 6, "default"))
    pattern = f"STREAM {S} [RANGE 9s] {{ ?x <http://q> ?y }}"
    inside = cqels(f"SELECT ?n WHERE {{ {pattern} GRAPH <http://g> {{ ?x <http://p> ?n }} }}", execution=Pull(1))
    assert rows(inside, 4, named, unnamed) == {(5,)}
    default = cqels(f"SELECT ?n WHERE {{ {pattern} ?x <http://p> ?n }}", execution=Pull(1))
    assert rows(default, 4, named, unnamed) == {(6,)}
    declared = cqels(f"SELECT ?n FROM <http://g> WHERE {{ {pattern} ?x <http://p> ?n }}", execution=Pull(1))
    assert rows(declared, 4, named, unnamed) == {(5,)}


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        ("[RANGE 10 STEP 5]", Range(10, 5)),
        ("[RANGE 1m TUMBLING]", Range(120, 120)),
        ("[RANGE 500ms SLIDE 1s]", Range(1, 2)),
        ("[NOW]", Range(0)),
    ],
)
def test_windows(window: str, expected: Range) -> None:
    query = parse(f"SELECT ?x FROM STREAM {S} {window} WHERE {{ ?x ?p ?y }}", clock=Duration(500, "ms"))
    assert query.streams[0].window == expected


def test_a_step_beyond_the_range_leaves_gaps() -> None:
    program = csparql(f"SELECT ?x FROM STREAM {S} [RANGE 1s STEP 4s] WHERE {{ ?x ?p ?y }}")
    assert [rows(program, now) for now in (2, 4, 8)] == [set(), set(), set()]
    program = csparql(f"SELECT ?x FROM STREAM {S} [RANGE 2s STEP 4s] WHERE {{ ?x ?p ?y }}")
    assert rows(program, 4) == {("<http://a>",), ("<http://b>",)}


def test_the_clock_is_part_of_the_program() -> None:
    text = f"SELECT ?x FROM STREAM {S} [RANGE 1s STEP 500ms] WHERE {{ ?x ?p ?y }}"
    assert "#clock 500 ms." in show(csparql(text, clock=Duration(500, "ms")))


def test_base_and_prefixes() -> None:
    text = f"BASE <http://ex.org/dir/> PREFIX e: <more#> SELECT ?x FROM STREAM {S} [NOW] WHERE {{ ?x e:p <a> }}"
    printed = show(csparql(text, execution=Pull(1)))
    assert '"<http://ex.org/dir/more#p>"' in printed
    assert '"<http://ex.org/dir/a>"' in printed
