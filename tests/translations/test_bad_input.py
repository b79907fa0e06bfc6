"""What the translations do not cover is named, with its place and a way to say it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.parser import parse_formula
from larspark.translations.cql.translate import translate as cql
from larspark.translations.etalis.by_windows import translate as etalis_windows
from larspark.translations.etalis.parser import parse as etalis
from larspark.translations.ltl.from_lars import at_time_point, for_any_stream
from larspark.translations.ltl.parser import parse as ltl
from larspark.translations.prometheus.translate import translate as prometheus
from larspark.translations.rdf.translate import cqels, csparql
from larspark.translations.sigma.translate import translate as sigma


def rejected(call: Callable[[], object]) -> tuple[Diagnostic, ...]:
    with pytest.raises(Rejected) as caught:
        call()
    return caught.value.diagnostics


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        ("x := a R b.", "1:8", "`R` is not part", "!(!a U !b)"),
        ("x := a W b.", "1:8", "`W` is not part", "(a U b) | G a"),
        ("x := a &&\n b.", "1:9", "`&` cannot stand here", "name := formula."),
        ("x := a", "1:7", "ends too early", "name := formula."),
        ("x := X a.\nx := b.", "2:1", "`x` is defined twice", "another name"),
        ("x := a(Y).", "1:8", "`Y` cannot stand here", "name := formula."),
    ],
)
def test_ltl(text: str, place: str, message: str, hint: str) -> None:
    (found,) = rejected(lambda: ltl(text, "file"))
    assert str(found.origin) == f"file:{place}"
    assert message in found.message
    assert hint in found.hint


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("(some a [3 #])", "Only sliding time windows"),
        ("(some a [4 hop 2])", "Only sliding time windows"),
        ("(some p(X) [3])", "not constants"),
        ("(@T a)", "not a number"),
        ("(3 < 4)", "no comparisons"),
    ],
)
def test_formulas_beyond_ltl(formula: str, message: str) -> None:
    tree = parse_formula(formula)
    for translate in (for_any_stream, lambda lars: at_time_point(lars, (0, 3), 2)):
        (found,) = rejected(lambda translate=translate: translate(tree))
        assert message in found.message
        assert found.hint


def test_endless_windows_need_a_timeline() -> None:
    (found,) = rejected(lambda: for_any_stream(parse_formula("(some a [all])")))
    assert "without end" in found.message


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        ("a <- b SEQ c AND d.", "1:14", "`AND` cannot stand here", "parentheses"),
        ("a <- b seq c.", "1:8", "`seq` is not part", "capitals, `SEQ`"),
        ("a :- b.", "1:3", "`:` cannot stand here", "head <- pattern."),
        ("a <- b", "1:7", "ends too early", "head <- pattern."),
        ("a(X) <- b.", "1:3", "`X` gets no value", "in an event"),
        ("a(X) <- b(X) OR c.", "1:3", "`X` gets no value", "every alternative"),
        ("a <- b WHERE (Y > 1).", "1:15", "`Y`, which the pattern", "before WHERE"),
        ("a <- NOT(c(Z)).[b, d].", "1:12", "`Z` occurs under NOT", "Write `_`"),
        ("a <- (b(Y) OR c) SEQ d(Y).", "1:1", "`Y` gets a value in one alternative", "two rules"),
    ],
)
def test_etalis(text: str, place: str, message: str, hint: str) -> None:
    found = rejected(lambda: etalis(text, "file"))[0]
    assert str(found.origin) == f"file:{place}"
    assert message in found.message
    assert hint in found.hint


@pytest.mark.parametrize(
    ("text", "message"),
    [("a <- NOT(b).[c, d].", "NOT has no translation"), ("a <- a SEQ b.", "depends on itself")],
)
def test_etalis_beyond_interval_windows(text: str, message: str) -> None:
    (found,) = rejected(lambda: etalis_windows(etalis(text)))
    assert message in found.message
    assert "interval arguments" in found.hint


DECLARED = "CREATE STREAM r (a, b); CREATE TABLE k (a, c);\n"


@pytest.mark.parametrize(
    ("query", "place", "message", "hint"),
    [
        ("SELECT a FROM r[RANGE]", "2:16", "size of the window is missing", "[RANGE n]"),
        ("SELECT a FROM r[LAST 5]", "2:16", "not a window of CQL", "[ROWS n]"),
        ("SELECT a FROM r[RANGE 2 SLIDE 3]", "2:16", "would skip some", "[RANGE n SLIDE d]"),
        ("SELECT a FROM r[ROWS 0]", "2:16", "at least 1", "[ROWS n]"),
        ("SELECT a FROM r[RANGE 5 ms]", "2:16", "not a multiple of the clock", "[RANGE n]"),
        ("SELECT a FROM k[NOW]", "2:15", "is not a stream", "CREATE STREAM"),
        ("SELECT a FROM z[NOW]", "2:15", "no stream or relation `z`", "CREATE STREAM z"),
        ("SELECT a FROM r[PARTITION BY z ROWS 1]", "2:15", "no column `z`", "a, b"),
        ("SELECT z FROM r[NOW]", "2:8", "no column `z`", "check the name"),
        ("SELECT a FROM r[NOW], k", "2:8", "column of several", "before it"),
        ("SELECT a FROM r[NOW] ORDER BY a", "2:8", "ORDER BY has no translation", "set"),
        ("SELECT a FROM r[NOW] UNION ALL SELECT a FROM k", "2:8", "keeps duplicates", "without ALL"),
        ("SELECT k.a FROM k LEFT JOIN r[NOW] ON k.a = r.a", "2:29", "Only inner joins", "NOT EXISTS"),
        ("SELECT b, COUNT(*) FROM r[NOW] GROUP BY a", "2:8", "neither grouped nor aggregated", "GROUP BY"),
        ("SELECT a FROM k WHERE c IS NULL", "2:23", "no NULL", "every column"),
        ("SELECT a FROM k WHERE a LIKE 'x'", "2:23", "has no translation", "comparisons"),
        ("SELECT a FROM k WHERE a = (SELECT MAX(c) FROM k AS l)", "2:39", "cannot stand for a value", "view"),
        ("SELECT STDDEV(a) FROM k", "2:15", "aggregate `STDDEV(a)`", "COUNT"),
        ("SELECT COUNT(*) FROM (SELECT a FROM k) AS d", "2:30", "`d` may have equal rows", "SELECT DISTINCT"),
        ("SELECT a FROM", "2:10", "cannot stand here", "SELECT"),
        ("DROP TABLE k", "2:12", "not a query", "SELECT"),
        ("CREATE INDEX i ON k (a)", "2:14", "declaration has no translation", "CREATE STREAM"),
    ],
)
def test_cql(query: str, place: str, message: str, hint: str) -> None:
    found = rejected(lambda: cql(DECLARED + query, "file"))[0]
    assert message in found.message
    assert hint in found.hint
    assert str(found.origin) == f"file:{place}"


def test_all_problems_of_a_script_are_told_at_once() -> None:
    found = rejected(lambda: cql(DECLARED + "SELECT z FROM k; SELECT a FROM k LIMIT 1"))
    assert [d.code for d in found] == ["E803", "E802"]


FROM = "FROM STREAM <http://s> [RANGE 4s STEP 2s]"
STREAM = "STREAM <http://s> [RANGE 4s]"


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        (f"SELECT ?x {FROM} WHERE {{ ?x ex:p ?y }}", "1:64", "prefix `ex:` is not declared", "PREFIX ex:"),
        (f"SELECT ?z {FROM} WHERE {{ ?x <http://p> ?y }}", "1:8", "No pattern gives `?z`", "triple pattern"),
        (f"SELECT ?x {FROM} WHERE {{ ?x <http://p> ?y }} ORDER BY ?x", "1:80", "`ORDER` is not part", "set"),
        (f"SELECT ?x {FROM} WHERE {{ ?x <http://p>/<http://q> ?y }}", "1:74", "`/` is not part", "as triples"),
        (f'SELECT ?x {FROM} WHERE {{ ?x <http://p> ?y FILTER(?y < "b") }}', "1:85", "Only numbers", "="),
        (f"SELECT ?x {FROM} WHERE {{ ?x <http://p> ?y FILTER(?y / 2 > 1) }}", "1:85", "Division", "products"),
        (f"SELECT ?x {FROM} WHERE {{ ?x <http://p> ?y FILTER(?y) }}", "1:85", "needs a comparison", "BOUND"),
        (
            f"SELECT ?x {FROM} WHERE {{ ?x <http://p> ?y OPTIONAL {{ ?x <http://q> ?z }} ?z <http://p> ?y }}",
            "1:108",
            "`?z` may have no value",
            "outside of OPTIONAL",
        ),
        (
            f"SELECT ?x {FROM} WHERE {{ ?x <http://p> ?y OPTIONAL {{ ?x <http://q> ?z }} FILTER(?z > 1) }}",
            "1:115",
            "`?z` may have no value",
            "inside the OPTIONAL",
        ),
        (f"SELECT ?y (COUNT(?x) AS ?n) {FROM} WHERE {{ ?x <http://p> ?y }}", "1:8", "neither grouped", "GROUP BY"),
        (
            f"CONSTRUCT {{ ?y <http://q> ?x }} {FROM} WHERE {{ ?x <http://p> ?y }}",
            "1:13",
            "may be a literal",
            "subject",
        ),
        (f"SELECT ?x WHERE {{ {STREAM} {{ ?x <http://p> ?y }} }}", "1:19", "in the head of a C-SPARQL", "FROM STREAM"),
        ("SELECT ?x WHERE { ?x <http://p> ?y }", "1:1", "reads no stream", "FROM STREAM"),
        ("SELECT ?x FROM STREAM <http://s> [RANGE 4s] WHERE { ?x <http://p> ?y }", "1:11", "not clear when", "STEP"),
        ("SELECT ?x FROM STREAM <http://s> [RANGE 5ms STEP 2s] WHERE { ?x ?p ?y }", "1:41", "multiple of the", "clock"),
        ("SELECT ?x FROM STREAM <http://s> [TRIPLES 0] WHERE { ?x ?p ?y }", "1:43", "always empty", "[TRIPLES 1]"),
        (f"SELECT ?x {FROM} WHERE {{ FILTER(1 < 2) }}", "1:59", "no triple pattern", "triple"),
        (f"SELECT ?x {FROM} WHERE {{ ?x <http://p> ?y", "1:77", "ends too early", "WHERE"),
    ],
)
def test_csparql(text: str, place: str, message: str, hint: str) -> None:
    (found,) = rejected(lambda: csparql(text, "file"))
    assert message in found.message
    assert hint in found.hint
    assert str(found.origin) == f"file:{place}"


def test_cqels_is_not_csparql() -> None:
    (found,) = rejected(lambda: cqels(f"SELECT ?x {FROM} WHERE {{ ?x <http://p> ?y }}"))
    assert "in the WHERE part of a CQELS query" in found.message
    (found,) = rejected(lambda: cqels(f"REGISTER QUERY q AS SELECT ?x WHERE {{ {STREAM} {{ ?x ?p ?y }} }}"))
    assert "not registered" in found.message
    (found,) = rejected(lambda: cqels("SELECT ?x WHERE { ?x ?p ?y }"))
    assert "reads no stream" in found.message


def rules(expression: str, *more: str) -> str:
    lines = ["# series up(job)", "groups:", "- name: g", "  rules:", "  - alert: A", f"    expr: {expression}"]
    return "\n".join([*lines, *(f"    {line}" for line in more)])


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        (rules("down > 1"), "6:11", "labels of `down` are not declared", "# series down("),
        (rules('up{instance="a"} > 1'), "6:14", "no label `instance`", "# series up(job, instance)"),
        (rules('up{job=~"5.."} > 1'), "6:14", "`5..` has no translation", "a|b|c"),
        (rules("up > > 1"), "6:16", "`>` cannot stand here", "rate("),
        (rules("up >"), "6:15", "ends too early", "rate("),
        (rules("up offset 5m > 1"), "6:14", "`offset` is not part", "Record"),
        (rules("|\n      up > 1\n        and foo"), "8:13", "labels of `foo`", "# series foo("),
        (rules("'up > foo'"), "6:17", "labels of `foo`", "# series foo("),
        (rules("histogram_quantile(0.9, up)"), "6:11", "`histogram_quantile` of this", "rate"),
        (rules("topk(3, up)"), "6:11", "aggregation `topk`", "sum"),
        (rules("rate(up)"), "6:11", "`rate` takes a range", "rate(metric[5m])"),
        (rules("up[5m] > 1"), "6:11", "is no value", "rate(up[5m])"),
        (rules("rate(up[500ms]) > 1"), "6:16", "no multiple of the clock", "--clock"),
        (rules("1 > 2"), "6:13", "between numbers", "result"),
        (rules("5"), "6:11", "no vector", "up == 0"),
        (rules("up and 1"), "6:14", "for vectors", "up == 0"),
        (rules("up == on () (up or absent(up))", "for: soon"), "7:10", "not a duration", "5m"),
        (rules("up == 0", "labels: {team: '{{ $labels.job }}'}"), "7:20", "Templates", "fixed value"),
        (rules("up == 0", "fro: 5m"), "7:5", "`fro` has no translation", "alert, record, expr, for"),
        (rules("up == 0", "expr: up"), "7:5", "there twice", "Leave"),
        ("groups:\n- name: g\n  rules:\n  - expr: up", "4:5", "a name", "alert: Name"),
        ("groups:\n- name: g\n  limit: 5\n  rules: []", "3:3", "`limit` has no translation", "Leave"),
        ("groups: 5", "1:9", "is a list", "- "),
        ("rules: []", "1:1", "`rules` has no translation", "groups"),
        ("groups: [", "1:10", "not YAML", "indentation"),
        ("# series up[job]\ngroups: []", "1:1", "declares no series", "# series name("),
        ("# series up(job, job)\ngroups: []", "1:1", "twice", "Leave"),
        (rules("up{job='a', job='b'} > 1"), "5:12", "never has an element", "matchers"),
        (rules("up == 0") + "\n  - alert: A\n    expr: up", "7:12", "two alerts `A`", "rename"),
        (rules("up == 0") + "\n  - record: up\n    expr: up", "7:13", "recorded or declared", "another name"),
    ],
)
def test_prometheus(text: str, place: str, message: str, hint: str) -> None:
    (found,) = rejected(lambda: prometheus(text, "file"))
    assert message in found.message
    assert hint in found.hint
    assert str(found.origin) == f"file:{place}"


LOG = "# event log(user)\ntitle: a\nlogsource: {product: log}\ndetection:\n  s: {user: x}\n"
FOUND = LOG + "  condition: s\n---\ntitle: b\ncorrelation:\n"


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        (LOG, "5:3", "no condition", "condition: selection"),
        (LOG + "  condition: s and t", "6:20", "no search `t`", "There are s"),
        (LOG + "  condition: s and", "6:19", "ends too early", "1 of name*"),
        (LOG + "  condition: s | count() > 5", "6:16", "`|` is not part", "correlation"),
        (LOG + "  condition: 2 of them", "6:14", "`2 of`", "1 of"),
        (LOG.replace("x}", "'*x'}") + "  condition: s", "5:13", "test of `user`", "startswith"),
        (LOG.replace("user: x", "host: x") + "  condition: s", "5:13", "no field `host`", "# event"),
        (LOG.replace("product: log", "product: web") + "  condition: s", "3:12", "not declared", "# event web("),
        (FOUND + "  type: temporal\n  rules: [a]", "10:3", "no `timespan`", "timespan"),
        (FOUND + "  type: median\n  rules: [a]\n  timespan: 5s", "10:9", "`median` has no", "event_count"),
        (FOUND + "  type: temporal\n  rules: [a]\n  timespan: soon", "12:13", "no time span", "5m"),
        (FOUND + "  type: temporal\n  rules: [a]\n  timespan: 5ms", "10:3", "multiple of the clock", "--clock"),
        (FOUND + "  type: temporal\n  rules: [c]\n  timespan: 5s", "10:3", "no rule `c`", "same file"),
        (FOUND + "  type: temporal\n  rules: [a]\n  timespan: 5s\n  group-by: [z]", "10:3", "no field `z`", "user"),
        (FOUND + "  type: event_count\n  rules: [a]\n  timespan: 5s", "10:3", "needs a condition", "gte"),
        (FOUND + "  type: event_count\n  rules: [a]\n  timespan: 5s\n  condition: {most: 1}", "13:21", "`most`", "gte"),
        (
            FOUND + "  type: value_count\n  rules: [a]\n  timespan: 5s\n  condition: {gte: 1}",
            "13:14",
            "say what",
            "field",
        ),
        (LOG + "  condition: s\n---\ntitle: a\ncorrelation: {}", "9:14", "no `type`", "type"),
        ("title: a", "1:1", "neither", "detection"),
        ("title: a\naction: global", "2:1", "`action`", "one rule"),
    ],
)
def test_sigma(text: str, place: str, message: str, hint: str) -> None:
    (found,) = rejected(lambda: sigma(text, "file"))
    assert message in found.message
    assert hint in found.hint
    assert str(found.origin) == f"file:{place}"


TIMED = "CREATE TABLE b (a INT, ts TIMESTAMP, WATERMARK FOR ts AS ts);\n"
SECONDS = "INTERVAL '3' SECOND"
FROM_TABLE = "SELECT a FROM TABLE("


@pytest.mark.parametrize(
    ("query", "place", "message", "hint"),
    [
        (f"{FROM_TABLE}CUMULATE(TABLE b, DESCRIPTOR(ts), {SECONDS}, {SECONDS}))", "2:15", "CUMULATE", "TUMBLE"),
        (f"{FROM_TABLE}TUMBLE(TABLE b, {SECONDS}))", "2:15", "not called like this", "DESCRIPTOR"),
        (f"{FROM_TABLE}TUMBLE(TABLE b, DESCRIPTOR(ts), 3))", "2:15", "no duration", "INTERVAL"),
        (f"{FROM_TABLE}TUMBLE(TABLE b, DESCRIPTOR(a), {SECONDS}))", "2:34", "not the time of `b`", "WATERMARK"),
        (f"{FROM_TABLE}TUMBLE(TABLE c, DESCRIPTOR(ts), {SECONDS}))", "2:34", "no stream or relation", "CREATE"),
        (f"{FROM_TABLE}HOP(TABLE b, DESCRIPTOR(ts), INTERVAL '5' SECOND, {SECONDS}))", "2:15", "skip some", "HOP"),
        (f"{FROM_TABLE}SESSION(TABLE b PARTITION BY z, DESCRIPTOR(ts), {SECONDS}))", "2:35", "column `z`", "a, ts"),
        ("SELECT COUNT(*) FROM b GROUP BY session_window(ts, '3 seconds')", "2:33", "keys of a session", "SESSION"),
        ("SELECT COUNT(*) FROM (SELECT a FROM b) AS c GROUP BY window(ts, '3 s')", "2:54", "name of a", "window(t"),
        (f"ISTREAM({FROM_TABLE}TUMBLE(TABLE b, DESCRIPTOR(ts), {SECONDS})))", "2:42", "no translation", "complete"),
    ],
)
def test_sql_windows(query: str, place: str, message: str, hint: str) -> None:
    found = rejected(lambda: cql(TIMED + query, "file"))[0]
    assert message in found.message
    assert hint in found.hint
    assert str(found.origin) == f"file:{place}"


def matching(pattern: str, defined: str = "A AS A.a > 1", measures: str = "A.a AS x", more: str = "") -> str:
    clauses = f"ORDER BY ts MEASURES {measures} {more} PATTERN ({pattern}) DEFINE {defined}"
    return f"SELECT * FROM b MATCH_RECOGNIZE ({clauses}) AS m"


@pytest.mark.parametrize(
    ("query", "place", "message", "hint"),
    [
        (matching("A B*"), "2:17", "`*` in a pattern", "B+? C"),
        (matching("A B+"), "2:17", "last part", "PATTERN"),
        (matching("A A"), "2:17", "stands once", "PATTERN"),
        (matching("A", measures="A.a"), "2:17", "A measure", "MEASURES"),
        (matching("A", defined="A.a > 1"), "2:17", "A definition", "DEFINE"),
        (matching("A", more="ALL ROWS PER MATCH"), "2:17", "ALL ROWS", "PATTERN"),
        (matching("A", more="AFTER MATCH SKIP TO LAST A"), "2:17", "followed by", "SKIP TO NEXT ROW"),
        ("SELECT * FROM b MATCH_RECOGNIZE (ORDER BY ts PATTERN (A) DEFINE A AS a > 1)", "2:17", "no MEASURES", "A.x"),
        (matching("A B+ C", more="AFTER MATCH SKIP TO NEXT ROW"), "2:15", "both B and C", "B+?"),
        (matching("A B+? C"), "2:15", "begin behind the last row", "SKIP TO NEXT ROW"),
        (matching("A", defined="A AS A.z > 1"), "2:89", "no column `z`", "a, ts"),
        (matching("A B", defined="A AS A.a > B.a"), "2:97", "B comes after A", "defined"),
        (matching("A B", defined="A AS SUM(A.a) > 1"), "2:95", "cannot be translated", "COUNT"),
        (matching("A").replace("ts", "a", 1), "2:15", "not the time of `b`", "WATERMARK"),
    ],
)
def test_match_recognize(query: str, place: str, message: str, hint: str) -> None:
    found = rejected(lambda: cql(TIMED + query, "file"))[0]
    assert message in found.message
    assert hint in found.hint
    assert str(found.origin) == f"file:{place}"
