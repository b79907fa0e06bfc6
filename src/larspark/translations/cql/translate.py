"""CQL scripts to LARS programs: declarations, views, queries, and the streams they put out."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from sqlglot import exp

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.facts import Signature
from larspark.language.tree import UNBOUNDED, Atom, Clock, Directive, Duration, Input, Not, Program, Record, Rule, Show
from larspark.translations.algebra import columns
from larspark.translations.cql.expressions import NoTranslation
from larspark.translations.cql.from_sql import RelationalAlgebra, SqlQuery
from larspark.translations.cql.match_recognize import MatchRecognize
from larspark.translations.cql.row_patterns import RowPattern
from larspark.translations.cql.scope import Table
from larspark.translations.cql.snapshots import SnapshotWindow, snapshot_before, snapshot_now, window_rules
from larspark.translations.cql.statements import DEFAULT_CLOCK, Script, read
from larspark.translations.cql.windows import (
    BOUNDS,
    CqlWindow,
    Hop,
    PartitionedRows,
    RangeWindow,
    Session,
    SqlWindow,
    relation_name,
)
from larspark.translations.datalog import Datalog, fresh_variables
from larspark.translations.naming import Names
from larspark.translations.reading import UNKNOWN_NAME, UNSUPPORTED


class Moment(StrEnum):
    """The evaluation for which a relation is computed."""

    NOW = "now"
    BEFORE = "before"


def translate(text: str, file: str = "<cql>", clock: Duration = DEFAULT_CLOCK, *, numbered: bool = False) -> Program:
    """The LARS program of a script; an unnamed query becomes the predicate `q`.

    Rows of streams have the number of their arrival as last column, if they are `numbered`.
    """
    script = read(text, file, clock)
    translation = _SelectTranslation(script, numbered)
    for statement in script.statements:
        translation.statement(statement)
    if translation.problems:
        raise Rejected(translation.problems)
    clock_directive: tuple[Directive, ...] = () if clock == DEFAULT_CLOCK else (Clock(clock),)
    return translation.program(clock_directive)


@dataclass
class _SelectTranslation:
    script: Script
    numbered: bool
    tables: dict[str, Table] = field(default_factory=dict)
    views: dict[str, exp.Expr] = field(default_factory=dict)
    derived_streams: set[str] = field(default_factory=set)
    read: set[str] = field(default_factory=set)
    """Streams and static relations that a query names."""
    predicates: dict[tuple[str, CqlWindow | None, Moment], str] = field(default_factory=dict)
    snapshots: list[Rule] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    recorded: list[Signature] = field(default_factory=list)
    shown: list[Signature] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)
    names: Names = field(init=False)

    def __post_init__(self) -> None:
        taken = {table.name.lower() for statement in self.script.statements for table in statement.find_all(exp.Table)}
        self.names = Names(taken)

    def program(self, directives: tuple[Directive, ...]) -> Program:
        used = [self.tables[name] for name in sorted(self.read)]
        inputs = tuple(Input(Signature(table.name, len(table.arguments)), table.arguments) for table in used)
        show = (Show(tuple(self.shown)),) if self.shown else ()
        records = tuple(map(Record, self.recorded))
        return Program((*self.snapshots, *self.rules), (*directives, *inputs, *records, *show))

    # -- statements ------------------------------------------------------------------------------------

    def statement(self, node: exp.Expr) -> None:
        """Translate one statement; what cannot be translated is noted, and the next one follows."""
        try:
            if isinstance(node, exp.Create):
                self._declaration(node)
            else:
                self._output(self.names.fresh("q"), node)
        except NoTranslation as problem:
            code = UNKNOWN_NAME if problem.message.startswith("There is no") else UNSUPPORTED
            origin = self.script.origin(problem.node) or self.script.origin(node)
            self.problems.append(Diagnostic(code, problem.message, problem.hint, origin))

    def _declaration(self, node: exp.Create) -> None:
        match node.kind, node.this:
            case "TABLE", exp.Schema():
                name = node.this.this.name.lower()
                start = node.this.this.this.meta.get("start")
                found = tuple(part.name for part in node.this.expressions)
                self.tables[name] = self._table_of(node, name, found, start)
            case "VIEW", exp.Table():
                name = node.this.name.lower()
                query = self._output(name, node.expression)
                self.tables[name] = Table(name, query.names, False, is_set=query.is_set)
                self.views[name] = node.expression
            case _:
                raise NoTranslation(
                    node,
                    "This declaration has no translation.",
                    "Write CREATE STREAM name (columns), CREATE TABLE name (columns) or CREATE VIEW name AS SELECT ….",
                )

    def _table_of(self, node: exp.Create, name: str, found: tuple[str, ...], start: int | None) -> Table:
        time = self.script.times.get(start if start is not None else -1, "")
        columns = {column.lower(): column for column in found}
        if time and time.lower() not in columns:
            message = f"`{name}` has no column `{time}` that could be its time."
            raise NoTranslation(node, message, f"Its columns are {', '.join(found)}.")
        is_stream = start in self.script.streams or bool(time)
        numbers = ("arrival",) if self.numbered and is_stream else ()
        return Table(name, (*found, *numbers), is_stream, columns.get(time.lower(), ""))

    def _output(self, head: str, node: exp.Expr) -> SqlQuery:
        """The rules of a query, through ISTREAM, DSTREAM or RSTREAM if it is written around it."""
        operator, inner = _relation_to_stream(node)
        if operator is not None:
            self.derived_streams.add(head)
        if operator not in ("ISTREAM", "DSTREAM"):
            query = self._define(head, inner, Moment.NOW)
        else:
            current, earlier = self.names.fresh(f"{head}_now"), self.names.fresh(f"{head}_before")
            query = self._define(current, inner, Moment.NOW)
            self._define(earlier, inner, Moment.BEFORE)
            args = tuple(fresh_variables(columns(query.relation), set()).values())
            kept, gone = (current, earlier) if operator == "ISTREAM" else (earlier, current)
            self.rules.append(Rule(Atom(head, args), (Atom(kept, args), Not(Atom(gone, args)))))
        self.shown.append(Signature(head, len(query.names)))
        return query

    def _define(self, head: str, node: exp.Expr, moment: Moment) -> SqlQuery:
        _group_by_both_bounds(node)
        query = RelationalAlgebra(lambda table: self._table(table, moment)).query(node)
        datalog = Datalog(self.names, head)
        datalog.define(head, query.relation)
        self.rules += datalog.rules
        return query

    # -- sources ---------------------------------------------------------------------------------------

    def _table(self, node: exp.Table, moment: Moment) -> tuple[Table, str]:
        """The declaration behind a name in FROM, and the predicate of its content."""
        name, window = node.name.lower(), self.script.window(node)
        table = self.tables.get(name)
        if table is None:
            raise NoTranslation(
                node,
                f"There is no stream or relation `{node.name}`.",
                f"Declare it, CREATE STREAM {name} (columns) or CREATE TABLE {name} (columns).",
            )
        if window is not None and not table.is_stream:
            raise NoTranslation(
                node,
                f"`{node.name}` is not a stream and has no window.",
                "Declare it by CREATE STREAM, or drop the window.",
            )
        if name in self.derived_streams:
            raise NoTranslation(
                node,
                f"`{node.name}` is the output of ISTREAM, DSTREAM or RSTREAM and cannot be read again.",
                "Define a view by the query alone, and read that.",
            )
        if isinstance(window, PartitionedRows | Session | MatchRecognize):
            named = window.keys if isinstance(window, MatchRecognize) else window.columns
            missing = {column.lower() for column in named} - {column.lower() for column in table.columns}
            if missing:
                raise NoTranslation(
                    node,
                    f"There is no column `{min(missing)}` in `{node.name}` to partition by.",
                    f"Its columns are {', '.join(table.columns)}.",
                )
        if name not in self.views:
            self.read.add(name)
        if isinstance(window, Hop | Session | MatchRecognize):
            return self._bounded(node, table, window, moment)
        if table.is_stream:
            # A stream without a window is read in full, as CQL has it.
            return table, self._snapshot(table, window or RangeWindow(UNBOUNDED), moment)
        if name in self.views and moment is Moment.BEFORE:
            return table, self._earlier_view(name)
        return table, name

    def _bounded(
        self, node: exp.Table, stream: Table, window: SqlWindow | MatchRecognize, moment: Moment
    ) -> tuple[Table, str]:
        """The rows of a window of SQL with its bounds as columns, or the matches of a pattern."""
        if moment is Moment.BEFORE:
            message = "ISTREAM and DSTREAM of this window have no translation."
            raise NoTranslation(node, message, "Leave them out: its rows come once, when it is complete.")
        wanted = self.script.descriptors.get(node.this.meta.get("end", -1), "")
        if wanted.lower() != stream.time.lower():
            hint = (
                f"Declare it: CREATE TABLE {stream.name} (…, {wanted} TIMESTAMP, WATERMARK FOR {wanted} AS {wanted})."
            )
            raise NoTranslation(node, f"`{wanted}` is not the time of `{stream.name}`.", hint)
        if isinstance(window, MatchRecognize):
            pattern = RowPattern(self.names.fresh(f"{stream.name}_match"), stream, window, self.names)
            pattern.write()
            self.snapshots += pattern.rules
            self.recorded += pattern.recorded
            return Table(pattern.predicate, pattern.outputs, False, is_set=False), pattern.predicate
        key = (stream.name, window, moment)
        if key not in self.predicates:
            self.predicates[key] = self.names.fresh(relation_name(stream.name, window))
            self.snapshots += window_rules(self.predicates[key], stream, window, self.names)
        return replace(stream, columns=(*stream.columns, *BOUNDS)), self.predicates[key]

    def _snapshot(self, stream: Table, window: SnapshotWindow, moment: Moment) -> str:
        key = (stream.name, window, moment)
        if key not in self.predicates:
            wanted = relation_name(stream.name, window)
            predicate = self.names.fresh(wanted if moment is Moment.NOW else f"{wanted}_before")
            self.predicates[key] = predicate
            rule = snapshot_now if moment is Moment.NOW else snapshot_before
            self.snapshots.append(rule(predicate, stream, window))
        return self.predicates[key]

    def _earlier_view(self, name: str) -> str:
        key = (name, None, Moment.BEFORE)
        if key not in self.predicates:
            self.predicates[key] = self.names.fresh(f"{name}_before")
            self._define(self.predicates[key], self.views[name], Moment.BEFORE)
        return self.predicates[key]


def _group_by_both_bounds(node: exp.Expr) -> None:
    """A group that has one bound of a window has the other."""
    for group in node.find_all(exp.Group):
        named = {part.name.lower(): part for part in group.expressions if isinstance(part, exp.Column)}
        for one, other in (BOUNDS, BOUNDS[::-1]):
            if one in named and other not in named:
                added = named[one].copy()
                added.this.set("this", other)
                group.append("expressions", added)


def _relation_to_stream(node: exp.Expr) -> tuple[str | None, exp.Expr]:
    """ISTREAM(SELECT …) or SELECT ISTREAM(…) …: the operator, and the query without it."""
    operators = ("ISTREAM", "DSTREAM", "RSTREAM")
    match node:
        case exp.Anonymous() if node.name.upper() in operators and len(node.expressions) == 1:
            return node.name.upper(), node.expressions[0]
        case exp.Select() if len(node.expressions) == 1 and isinstance(node.expressions[0], exp.Anonymous):
            call = node.expressions[0]
            if call.name.upper() in operators:
                plain = node.copy()
                plain.set("expressions", [part.copy() for part in call.expressions])
                return call.name.upper(), plain
    return None, node
