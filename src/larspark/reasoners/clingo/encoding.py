"""The static encoding of a plain program: one answer set program per evaluation (thesis sec. 6.3).

It differs from the published one where that differs from the definition: `always` stops at the start of the timeline,
the future is open, tuple windows count arrivals; and it has one range rule per window, not one rule per position.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from larspark.analysis.analysis import Analysis
from larspark.language.extended_atoms import ExtendedAtom, Quantifier, any_atom
from larspark.language.facts import Fact, Signature
from larspark.language.printing.printer import show
from larspark.language.traversal import constants
from larspark.language.tree import Prefer, Rule, Variable
from larspark.language.windows.selection import Arrival
from larspark.reasoners.arrivals_for_readings import ArrivalsForReadings
from larspark.reasoners.clingo.adapter import fact_text, text
from larspark.reasoners.clingo.bodies import BodyText, Vocabulary
from larspark.reasoners.clingo.heads import head_variants
from larspark.reasoners.clingo.names import ClingoNames
from larspark.reasoners.clingo.order import allows_native_order
from larspark.reasoners.clingo.windows import WindowAtom, WindowSpan, atom_text
from larspark.reasoners.flattening import plain_rule
from larspark.reasoners.plain import PlainRule


@dataclass(frozen=True)
class Encoding:
    """A program as text: what never changes, and how to write down what does."""

    names: ClingoNames
    rules: tuple[str, ...]
    """The rules of the program, each group headed by the original as a comment."""
    windows: tuple[WindowAtom, ...]
    spans: tuple[WindowSpan, ...]
    """Windows before an interval with computed bounds."""
    window_rules: tuple[str, ...]
    background: tuple[str, ...]
    readings: tuple[ExtendedAtom, ...]
    """What the program reads directly, without its windows."""
    optimises: bool
    """Only the best answer sets are wanted."""

    @property
    def all_readings(self) -> tuple[ExtendedAtom, ...]:
        return (*self.readings, *(window.reading for window in (*self.windows, *self.spans)))

    def program(self) -> str:
        """Everything that stays the same from evaluation to evaluation."""
        sections = (("windows", self.window_rules), ("background", self.background))
        headed = (line for title, lines in sections if lines for line in (f"% {title}", *lines))
        return "\n".join((*self.rules, *headed))

    def visible(self, history: ArrivalsForReadings, now: int) -> set[Arrival]:
        """The input that the rules or some window by time can see."""
        return {
            arrival
            for reading in self.all_readings
            if not reading.counts_arrivals and history.knows(reading.signature)
            for arrival in history.select(reading, now).arrivals
        }

    def data(self, visible: Iterable[Arrival], history: ArrivalsForReadings, now: int) -> str:
        """The facts of one evaluation: the spans of the windows and the visible input."""
        spans = [line for window in (*self.windows, *self.spans) for line in window.facts(history, now)]
        names = self.names
        seen = {fact_text(names.predicate(fact.predicate), (*fact.args, time)) for time, _, fact in visible}
        return "\n".join(("% the windows at this time", *spans, "% input", *sorted(seen)))


def encode(
    analysis: Analysis, background: Iterable[Fact] = (), start: int = 0, *, native_order: bool = False
) -> Encoding:
    """The encoding of an analysed plain program; `native_order` lets clingo compare values itself."""
    background = tuple(dict.fromkeys(background))
    vocabulary = Vocabulary(frozenset(fact.signature for fact in background), start, native_order)
    rules: list[str] = []
    alternatives: set[Signature] = set()
    for rule in analysis.program.rules:
        plain = plain_rule(rule)
        rules.extend(_rule_text(rule, plain, vocabulary))
        if len(plain.heads) > 1:
            alternatives |= {head.atom.signature for head in plain.heads if head.time is not None}
        for head in plain.heads:
            vocabulary.names.predicate(head.atom.predicate)
    for preference in analysis.preferences:
        plain = plain_rule(preference.rule)
        rules.extend(_weak_constraint(preference, plain, vocabulary))
    # Data of derived predicates is part of the answer at its time, whether a rule reads it or not; and as one of
    # several heads it satisfies a rule at whatever time the rule is about.
    data = (analysis.intensional & analysis.extensional) | analysis.recorded
    arriving = (_data_read(signature, at_all_times=signature in alternatives) for signature in sorted(data))
    windows = vocabulary.windows
    return Encoding(
        vocabulary.names,
        (*rules, *_shown(analysis, vocabulary.names)),
        windows,
        vocabulary.spans,
        tuple(_window_rules(windows, vocabulary)),
        tuple(_background_text(background, vocabulary)),
        tuple(dict.fromkeys((*vocabulary.readings, *arriving))),
        bool(analysis.preferences),
    )


def _data_read(signature: Signature, *, at_all_times: bool) -> ExtendedAtom:
    atom = any_atom(signature)
    return ExtendedAtom(Quantifier.AT, atom, time=Variable("T")) if at_all_times else ExtendedAtom(Quantifier.NOW, atom)


def encoded_at(
    analysis: Analysis, background: Iterable[Fact], arrivals: Iterable[tuple[int, Fact]], start: int, now: int
) -> str:
    """The whole answer set program of one evaluation, for reading or for a solver of one's own."""
    background, arrivals = tuple(background), [arrival for arrival in arrivals if arrival[0] <= now]
    values = {constant.value for constant in constants(analysis.program)}
    values.update(value for fact in (*background, *(fact for _, fact in arrivals)) for value in fact.args)
    native = allows_native_order(analysis.program, values)
    encoding = encode(analysis, background, start, native_order=native)
    history = ArrivalsForReadings(encoding.all_readings, start, analysis.held)
    for time, fact in arrivals:
        history.append(time, fact)
    data = encoding.data(encoding.visible(history, now), history, now)
    return "\n".join((f"#const now = {now}.", encoding.program(), data))


def _shown(analysis: Analysis, names: ClingoNames) -> Iterator[str]:
    """What clingo reports of an answer set: the intensional atoms."""
    yield "% answer"
    yield "#show."
    for signature in sorted(analysis.intensional):
        yield f"#show {names.predicate(signature.predicate)}/{signature.arity + 1}."


def _rule_text(rule: Rule, plain: PlainRule, vocabulary: Vocabulary) -> Iterator[str]:
    yield from (f"% {line}" for line in show(rule).splitlines())
    writer = BodyText(plain, vocabulary)
    body = writer.text()
    for heads, conditions in head_variants(plain.heads, writer.terms, vocabulary):
        everything = [*body, *conditions]
        implied = f" :- {', '.join(everything)}" if everything or not heads else ""
        yield f"{' | '.join(heads)}{implied}.".lstrip()
    yield from dict.fromkeys(writer.auxiliary_rules)


def _weak_constraint(preference: Prefer, plain: PlainRule, vocabulary: Vocabulary) -> Iterator[str]:
    """A weight is a gain, clingo counts costs."""
    yield from (f"% {line}" for line in show(preference).splitlines())
    writer = BodyText(plain, vocabulary)
    body = writer.text()
    weight, *others = map(writer.terms.term, (preference.weight, *preference.terms))
    cost = f"-@weight({','.join((weight, *others))})@{preference.level}"
    yield f":~ {', '.join(body)}. [{','.join((cost, *others))}]"
    yield from dict.fromkeys(writer.auxiliary_rules)


def _window_rules(windows: Sequence[WindowAtom], vocabulary: Vocabulary) -> Iterator[str]:
    for window in windows:
        yield from window.filter_rules(vocabulary.names)
        yield from window.rules(vocabulary.names, window.reading.signature in vocabulary.background)
    for span in vocabulary.spans:
        yield from span.filter_rules(vocabulary.names)


def _background_text(background: Sequence[Fact], vocabulary: Vocabulary) -> Iterator[str]:
    """Background holds now; where windows look at it, it is also listed as what holds at all times."""
    names = vocabulary.names
    everywhere = {window.reading.signature for window in (*vocabulary.windows, *vocabulary.spans)}
    for fact in background:
        yield f"{atom_text(names.predicate(fact.predicate), [*map(text, fact.args), 'now'])}."
        if fact.signature in everywhere:
            yield fact_text(names.background(fact.signature), fact.args)
