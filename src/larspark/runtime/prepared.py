"""A program made ready to run: the value that every door starts from, and the one function that makes it."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from larspark.analysis.pipeline import Analysis, analyse
from larspark.analysis.rewrites.optimise import optimise
from larspark.analysis.typing.sorts import program_sorts, time_places
from larspark.diagnostics import Diagnostic, Rejected, Severity
from larspark.language.calendar import Calendar, zone_called
from larspark.language.evaluate import Functions
from larspark.language.facts import Fact, Signature
from larspark.language.parser import parse_program
from larspark.language.resolve import clock_of, resolve
from larspark.language.shorthands.relation_predicates import without_relations
from larspark.language.tree import Background, Duration, Input, Program, Timezone
from larspark.language.values import Value
from larspark.loading import without_collector
from larspark.read import Rules, named_columns, read_background, read_backgrounds, typed_inputs
from larspark.read.values.types import fitted_fact
from larspark.reasoners.protocol import Reasoner
from larspark.reasoners.registry import make_reasoner
from larspark.runtime.admission import Admission
from larspark.runtime.atoms import AtomLike, fact_of
from larspark.runtime.durations import positive_duration
from larspark.runtime.findings.wanted_numbers import stated_facts, texts_among
from larspark.runtime.functions import import_functions
from larspark.translations.languages import PROGRAM_ENDINGS, load_program

_LOG = logging.getLogger("larspark")
_TEXT = re.compile(r"\n|%|:-|\s//|//\s")
"""What stands in a text of rules but in no file name; a file with such a name is given as a `Path`."""

Found = TypeVar("Found")


@dataclass(frozen=True)
class Prepared:
    """A program with everything it is evaluated in.

    Nothing is raised while it is made: what is wrong with the program is in `analysis`, what is wrong with the files
    that it names is in `problems`, and both are raised by `require`, or when a reasoner is made.
    """

    written: Program
    constants: Mapping[str, Value]
    """Those given over the program's own."""
    analysis: Analysis
    background: tuple[Fact, ...]
    """The facts of the program's `#background` files, and those given beside it."""
    functions: Functions
    calendar: Calendar
    problems: tuple[Diagnostic, ...] = ()

    @property
    def program(self) -> Program:
        """As it is evaluated: constants and durations resolved, when they could be."""
        return self.analysis.program

    @cached_property
    def resolved(self) -> Program:
        """As foresight reads it: `#temporal` atoms still have their time as an argument."""
        return resolve(without_relations(self.written, self.analysis.relations), self.calendar.clock, self.constants)

    @cached_property
    def admission(self) -> Admission:
        """Which atoms may arrive."""
        return Admission(self.analysis)

    @property
    def inputs(self) -> list[Input]:
        return [directive for directive in self.program.directives if isinstance(directive, Input)]

    @cached_property
    def typed_inputs(self) -> dict[Signature, Input]:
        """The inputs with declared types."""
        return typed_inputs(self.inputs)

    @cached_property
    def time_places(self) -> Mapping[Signature, frozenset[int]]:
        """The arguments that are times, as far as declarations and given facts tell."""
        return time_places(program_sorts(self.analysis, self.background))

    def fitted(self, facts: Sequence[Fact]) -> Sequence[Fact]:
        """The facts with values of the declared types; `Rejected` with everything that has others."""
        if not self.typed_inputs:
            return facts
        found = [fitted_fact(fact, self.typed_inputs, self.calendar) for fact in facts]
        problems = [one for one in found if isinstance(one, Diagnostic)]
        if problems:
            raise Rejected(problems)
        return [one for one in found if isinstance(one, Fact)]

    @property
    def rules(self) -> Rules:
        """How the data of the program is read."""
        columns = named_columns(self.inputs)
        return Rules(self.calendar, columns, typed=self.typed_inputs, objection=self.admission.to_signature)

    @property
    def located_rules(self) -> Rules:
        """The same, with the place of every record."""
        return replace(self.rules, located=True)

    @property
    def findings(self) -> Analysis:
        """The analysis with what is wrong with named files, as warnings: the program may be right without them."""
        return self.analysis.finding(*(replace(one, severity=Severity.WARNING) for one in self.problems))

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        return tuple(one for one in self.analysis.diagnostics if one.severity is not Severity.ERROR)

    def require(self, reasoner: str | None = None) -> Prepared:
        """The same, if it can run (and with this reasoner); otherwise `Rejected`."""
        self.analysis.require()
        self.require_files()
        self.analysis.require(reasoner)
        return self

    def require_files(self) -> None:
        if self.problems:
            raise Rejected(self.problems)

    def logged(self) -> Prepared:
        """The same; its warnings are told to the logger `larspark`."""
        for one in self.warnings:
            _LOG.warning("%s", one)
        return self

    @without_collector()
    def reasoner(self, name: str, start: int = 0, **options: object) -> Reasoner:
        """A reasoner of this name at the start of a timeline; `Rejected` when it does not take the program."""
        self.require()
        return make_reasoner(
            name, self.analysis, self.background, start, functions=self.functions, calendar=self.calendar, **options
        )

    def with_program(self, program: Program) -> Prepared:
        """Another program in the same meaning, with this background and that of files which only it names."""
        named = tuple(one for one in program.directives if isinstance(one, Background))
        facts = read_backgrounds(Program(directives=tuple(one for one in named if one not in self.written.directives)))
        return self._again(program, (*self.background, *facts))

    def with_background(self, background: Iterable[AtomLike | Path]) -> Prepared:
        """The same program with other facts that always hold, in place of those of its files as well."""
        return self._again(self.written, _given(background))

    def _again(self, program: Program, background: Iterable[Fact], **options: Any) -> Prepared:
        settings: dict[str, Any] = {
            "clock": self.calendar.clock,
            "epoch": self.calendar.epoch if self.calendar.given else None,
            "timezone": self.calendar.timezone,
            "constants": self.constants,
            "allow_functions": self.analysis.allow_functions,
        }
        return _assembled(program, background, **(settings | options))

    def optimised(self, rewrites: Collection[str]) -> Prepared:
        """The program as these rewrites leave it; what may arrive is told by the program as written."""
        return self.rewritten(optimise(self.program, rewrites).program)

    def rewritten(self, program: Program) -> Prepared:
        """Other rules in place of those of the program; what may arrive is told by the program as written."""
        given, functions = self.analysis.background, self.analysis.allow_functions
        analysis = analyse(program, background=given, allow_functions=functions).require()
        return replace(self, analysis=replace(analysis, relations=self.analysis.relations))


ProgramLike: TypeAlias = Program | Analysis | Prepared | str | Path
"""A tree, an analysed or prepared program, a text of rules, or the name of a program file."""


@without_collector()
def prepare(
    program: ProgramLike,
    *,
    clock: Duration | str | None = None,
    epoch: datetime | None = None,
    timezone: str | tzinfo | None = None,
    constants: Mapping[str, Value] | None = None,
    background: Iterable[AtomLike | Path] = (),
    allow_functions: bool = False,
) -> Prepared:
    """A program ready to run, from whatever it is given as; `Rejected` when it cannot be parsed, never otherwise.

    `clock`, `epoch`, `timezone` and `constants` stand over what the program says. `background` are more facts that
    always hold, or files of them. `allow_functions` lets `#function` run Python code of the program.
    """
    clock = positive_duration(clock) if isinstance(clock, str) else clock
    given = _given(background)
    zone = zone_of(timezone) if isinstance(timezone, str) else timezone
    options: dict[str, Any] = {"clock": clock, "epoch": epoch, "timezone": zone}
    options = {name: value for name, value in options.items() if value is not None}
    changes: tuple[Diagnostic, ...] = ()
    match program:
        case Prepared():
            if not (options or constants or given or allow_functions):
                return program
            options["constants"] = {**program.constants, **(constants or {})}
            options["allow_functions"] = allow_functions or program.analysis.allow_functions
            return program._again(program.written, (*program.background, *given), **options)
        case Analysis():
            options["known"] = program.background
            allow_functions = allow_functions or program.allow_functions
            written = program.program
        case Program():
            written = program
        case Path():
            loaded = load_program(program, clock)
            written, changes = loaded.program, loaded.changes
        case str() if is_file_name(program):
            loaded = load_program(program, clock)
            written, changes = loaded.program, loaded.changes
        case str():
            written = parse_program(program)
        case _:
            raise TypeError(f"a program is a text, a Path or a tree, not a {type(program).__name__}")
    problems: list[Diagnostic] = []
    facts = _from_files(read_backgrounds, written, problems) or ()
    prepared = _assembled(
        written, (*facts, *given), constants=constants or {}, allow_functions=allow_functions, **options
    )
    told = prepared.analysis.finding(*changes) if changes else prepared.analysis
    return replace(prepared, analysis=told, problems=(*problems, *prepared.problems))


def _assembled(
    written: Program,
    background: Iterable[Fact],
    *,
    clock: Duration | None = None,
    epoch: datetime | None = None,
    timezone: tzinfo | None = None,
    constants: Mapping[str, Value],
    allow_functions: bool,
    known: Set[Signature] = frozenset(),
) -> Prepared:
    facts = tuple(dict.fromkeys(background))
    given = {fact.signature for fact in facts} | known
    analysis = analyse(written, clock=clock, constants=constants, background=given, allow_functions=allow_functions)
    if analysis.ok:
        analysis = analysis.finding(*texts_among((*facts, *stated_facts(analysis)), analysis))
    problems: list[Diagnostic] = []
    functions = _from_files(import_functions, written, problems) if allow_functions and analysis.ok else None
    length = clock or clock_of(analysis.program)
    said = next((one.name for one in written.directives if isinstance(one, Timezone)), None)
    zone = timezone or (zone_called(said) if said else None)
    calendar = Calendar(epoch, length, zone, given=True) if epoch else Calendar(clock=length, timezone=zone)
    return Prepared(written, constants, analysis, facts, functions or {}, calendar, tuple(problems))


def zone_of(name: str) -> tzinfo:
    """The time zone of this name; `Rejected` when there is none."""
    zone = zone_called(name)
    if zone is None:
        hint = "Zones are called `Europe/Vienna`, `UTC`, or `+02:00`."
        raise Rejected([Diagnostic("E137", f"There is no time zone `{name}`.", hint)])
    return zone


def is_file_name(text: str) -> bool:
    """Whether a text names a program file: it ends like one, which no text of rules does outside a comment."""
    return text.lower().endswith(PROGRAM_ENDINGS) and not _TEXT.search(text)


def _given(background: Iterable[AtomLike | Path]) -> tuple[Fact, ...]:
    facts: list[Fact] = []
    for one in background:
        facts.extend(read_background(one) if isinstance(one, Path) else (fact_of(one),))
    return tuple(facts)


def _from_files(read: Callable[[Program], Found], program: Program, problems: list[Diagnostic]) -> Found | None:
    try:
        return read(program)
    except Rejected as rejected:
        problems.extend(rejected.diagnostics)
        return None
