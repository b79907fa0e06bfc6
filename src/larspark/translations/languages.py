"""The source languages by name and file ending, behind one function.

Each translation is imported when it is used: the SQL and RDF libraries cost start-up time that rules need not pay.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from larspark.diagnostics import Diagnostic, Origin, Rejected, Severity
from larspark.extras import require
from larspark.language.parser import parse_file
from larspark.language.tree import Duration, Program
from larspark.translations.reading import AS_SETS, SYNTAX, UNSUPPORTED

if TYPE_CHECKING:
    from larspark.translations.rdf.execution import Execution


_SECOND = Duration(1, "s")


@dataclass(frozen=True)
class Options:
    """What a translation can be told; each language takes what concerns it."""

    clock: Duration = _SECOND
    start: int = 0
    """LTL: the time point of the first position."""
    intervals: Literal["arguments", "windows"] = "arguments"
    """ETALIS: how intervals are said."""
    guard: bool = False
    """ETALIS, intervals as arguments: add the rules for `inseparable`."""
    arrivals: bool = False
    """Whether rows have the number of their arrival as last argument, which tells equal ones apart."""
    left_closed: bool = False
    """Prometheus: whether ranges have their left end, as up to version 2."""
    execution: Execution | None = None
    """C-SPARQL and CQELS: when the query is evaluated; None is the language's own way."""


@dataclass(frozen=True)
class Translated:
    """A program, and what it does not do exactly as its source."""

    program: Program
    changes: tuple[Diagnostic, ...] = ()


Translation = Callable[[str, str, Options], Translated]


def _ltl(text: str, file: str, options: Options) -> Translated:
    from larspark.translations.ltl.parser import parse  # noqa: PLC0415 - see above
    from larspark.translations.ltl.to_lars import translate as to_lars  # noqa: PLC0415

    return Translated(to_lars(parse(text, file), options.start))


def _etalis(text: str, file: str, options: Options) -> Translated:
    from larspark.translations.etalis import by_arguments, by_windows  # noqa: PLC0415
    from larspark.translations.etalis.parser import parse  # noqa: PLC0415
    from larspark.translations.etalis.separability import notes  # noqa: PLC0415

    rules = parse(text, file)
    if options.intervals == "windows":
        return Translated(by_windows.translate(rules), tuple(notes(rules)))
    program = by_arguments.translate(rules)
    return Translated(by_arguments.guarded(program, rules) if options.guard else program)


def _cql(text: str, file: str, options: Options) -> Translated:
    require("sqlglot")
    from larspark.translations.cql.translate import translate as to_lars  # noqa: PLC0415

    program = to_lars(text, file, options.clock, numbered=options.arrivals)
    return Translated(program, () if options.arrivals else (_equal_rows(file),))


def _equal_rows(file: str) -> Diagnostic:
    message = "Equal rows of a window are one row here."
    hint = "Translate with --arrivals and number the rows, or leave it if there are none."
    return Diagnostic(AS_SETS, message, hint, Origin(file, 1, 1, 1, 1), Severity.WARNING)


def _csparql(text: str, file: str, options: Options) -> Translated:
    require("pyoxigraph")
    from larspark.translations.rdf.translate import csparql  # noqa: PLC0415

    return Translated(csparql(text, file, options.clock, options.execution))


def _cqels(text: str, file: str, options: Options) -> Translated:
    require("pyoxigraph")
    from larspark.translations.rdf.translate import cqels  # noqa: PLC0415

    return Translated(cqels(text, file, options.clock, options.execution))


def _prometheus(text: str, file: str, options: Options) -> Translated:
    require("yaml")
    from larspark.translations.prometheus.translate import translate as to_lars  # noqa: PLC0415

    return Translated(*to_lars(text, file, options.clock, left_closed=options.left_closed, numbered=options.arrivals))


def _sigma(text: str, file: str, options: Options) -> Translated:
    require("yaml")
    from larspark.translations.sigma.translate import translate as to_lars  # noqa: PLC0415

    return Translated(*to_lars(text, file, options.clock, numbered=options.arrivals))


LANGUAGES: dict[str, Translation] = {
    "ltl": _ltl,
    "cql": _cql,
    "sql": _cql,
    "etalis": _etalis,
    "csparql": _csparql,
    "cqels": _cqels,
    "prometheus": _prometheus,
    "sigma": _sigma,
}
"""A file of the language `cql` ends in `.cql`, and so on; one in YAML may end in `.prometheus.yml`."""

_IN_YAML = ("prometheus", "sigma")
_YAML = (".yml", ".yaml")

PROGRAM_ENDINGS = (
    ".lars",
    ".lp",
    *(f".{language}{more}" for language in LANGUAGES for more in ("", *(_YAML if language in _IN_YAML else ()))),
)
"""How names of program files end."""


def language_of(path: str | Path) -> str | None:
    """The source language of a file by its ending; None for rules and everything else."""
    name = Path(path).name.lower()
    if not name.endswith(PROGRAM_ENDINGS):
        return None
    suffixes = [one.removeprefix(".") for one in Path(name).suffixes[-2:]]
    return next((one for one in reversed(suffixes) if one in LANGUAGES), None)


def translate(language: str, text: str, file: str, options: Options | None = None) -> Translated:
    """The LARS program of a text in another language; raises Rejected and nothing else."""
    try:
        return LANGUAGES[language](text, file, options or Options())
    except RecursionError:
        place = Origin(file, 1, 1, 1, 1)
        hint = "Give parts of it names of their own, as the language allows."
        raise Rejected([Diagnostic(UNSUPPORTED, "The text is nested too deeply.", hint, place)]) from None


def translate_file(language: str, path: str | Path, options: Options | None = None) -> Translated:
    """The LARS program of a file in another language."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        place = Origin(str(path), 1, 1, 1, 1)
        raise Rejected([Diagnostic(SYNTAX, "The file is not text.", "Save it in UTF-8.", place)]) from None
    return translate(language, text, str(path), options)


def load_program(path: str | Path, clock: Duration | None = None) -> Translated:
    """The program of a file: rules, or by its ending a source language."""
    language = language_of(path)
    if language is None:
        return Translated(parse_file(path))
    return translate_file(language, path, Options() if clock is None else Options(clock))
