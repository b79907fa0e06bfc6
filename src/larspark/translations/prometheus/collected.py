"""What a translation of rule files collects: rules, records, and the notes about what changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from larspark.diagnostics import Diagnostic, Origin, Rejected, Severity
from larspark.language.facts import Signature
from larspark.language.tree import Atom, Rule, TimeWindow
from larspark.translations.datalog import fresh_variables, tidy
from larspark.translations.naming import Names
from larspark.translations.prometheus.series import Series
from larspark.translations.prometheus.vectors import Vector, VectorElement
from larspark.translations.reading import AS_SETS, NO_INFINITIES, UNKNOWN_NAME, UNSUPPORTED

LOOKBACK = 5 * 60_000
"""How long a sample is the present value of its series, in milliseconds."""


@dataclass
class Collected:
    """The rules so far, and how time is counted."""

    series: dict[str, Series]
    clock: int
    """Milliseconds of a time point."""
    left_closed: bool
    """Whether a range has its left end, as up to Prometheus 2."""
    names: Names
    rules: list[Rule] = field(default_factory=list)
    recorded: list[Signature] = field(default_factory=list)
    read: dict[str, Series] = field(default_factory=dict)
    """Series whose samples arrive."""
    known: dict[tuple[object, ...], str] = field(default_factory=dict)
    """Predicates that are there already, by what they stand for."""

    changes: dict[str, Diagnostic] = field(default_factory=dict)
    """What is not exactly as on a server, once for each kind."""

    def counts_samples(self, series: Series, origin: Origin | None) -> None:
        """Equal samples of one time point are one atom, unless they are numbered."""
        if not series.numbered:
            message = "Equal samples of a series at one time point count once."
            hint = "Translate with --arrivals and number the samples, if the clock is longer than their distance."
            self._change(AS_SETS, message, hint, origin)

    def divides(self, origin: Origin | None) -> None:
        message = "A quotient by 0 gives no element here; on a server it is infinite or no number."
        self._change(NO_INFINITIES, message, "Add `or` and a comparison of the divisor with 0.", origin)

    def _change(self, code: str, message: str, hint: str, origin: Origin | None) -> None:
        self.changes.setdefault(code, Diagnostic(code, message, hint, origin, Severity.WARNING))

    def add(self, head: Atom, body: VectorElement) -> None:
        self.rules.append(tidy(Rule(head, body.body)))

    def record(self, signature: Signature) -> None:
        if signature not in self.recorded:
            self.recorded.append(signature)

    def find(self, metric: str, origin: Origin | None) -> Series:
        """The series of this name."""
        found = self.series.get(metric)
        if found is None:
            hint = f"Say them in a comment: `# series {metric}(job, instance)`."
            raise Rejected([Diagnostic(UNKNOWN_NAME, f"The labels of `{metric}` are not declared.", hint, origin)])
        if not found.derived:
            self.read[metric] = found
        return found

    def points(self, milliseconds: int, origin: Origin | None) -> int:
        """A duration in time points."""
        points, rest = divmod(milliseconds, self.clock)
        if rest or not points:
            message = f"{milliseconds} ms is no multiple of the clock, {self.clock} ms."
            hint = "Choose another clock: `--clock 1s`."
            raise Rejected([Diagnostic(UNSUPPORTED, message, hint, origin)])
        return points

    def window(self, milliseconds: int, origin: Origin | None) -> TimeWindow:
        """The time points of a range that ends now."""
        return TimeWindow(self.points(milliseconds, origin) - (0 if self.left_closed else 1))

    def predicate(self, stem: str, vector: Vector, labels: tuple[str, ...], with_value: bool) -> str:
        """A predicate for the elements of a vector, or for some of their labels."""
        key = (vector.labels, tuple(map(_frozen, vector.elements)), vector.rounded, labels, with_value)
        if key not in self.known:
            name = self.names.fresh(stem)
            self.known[key] = name
            for one in vector.elements:
                args = tuple(one.label(label) for label in labels)
                self.add(Atom(name, (*args, one.value) if with_value else args), one)
        return self.known[key]

    def named(self, stem: str, vector: Vector) -> tuple[str, Vector]:
        """The vector through a predicate of its own, and its name."""
        vector = vector.settled()
        name = self.predicate(stem, vector, vector.labels, True)
        terms = fresh_variables([*vector.labels, "value"], set())
        labels = {label: terms[label] for label in vector.labels}
        atom = Atom(name, tuple(terms.values()))
        return name, Vector(vector.labels, (VectorElement(labels, terms["value"], (atom,)),))


def _frozen(element: VectorElement) -> tuple[object, ...]:
    labels: Mapping[str, object] = element.labels
    return (tuple(labels.items()), element.value, element.body)
