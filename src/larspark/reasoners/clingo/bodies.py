"""Rule bodies as program text, with the auxiliary rules they need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count

from larspark.diagnostics import Rejected
from larspark.language.extended_atoms import ExtendedAtom, Quantifier, any_atom
from larspark.language.facts import Signature
from larspark.language.tree import Comparison, IntervalWindow, Variable
from larspark.reasoners.clingo.names import ClingoNames
from larspark.reasoners.clingo.terms import TermText, is_computed
from larspark.reasoners.clingo.windows import WindowAtom, WindowSpan, argument_text, atom_text, named_argument
from larspark.reasoners.flattening import points_in_interval
from larspark.reasoners.plain import Collection, Condition, Element, Literal, PlainRule, literal_names, term_names
from larspark.reasoners.scope import Scope
from larspark.reasoners.unbound_time import unbound_time


class Vocabulary:
    """What all rules of a program share: predicate names, background, the window atoms found so far."""

    def __init__(self, background: frozenset[Signature], start: int, native: bool) -> None:
        self.names = ClingoNames()
        self.native = native
        self.background = background
        self.start = start
        self._windows: dict[ExtendedAtom, WindowAtom] = {}
        self._spans: dict[ExtendedAtom, WindowSpan] = {}
        self._readings: dict[ExtendedAtom, None] = {}
        self._auxiliaries = count(1)
        self._numbers = count(1)

    def window(self, reading: ExtendedAtom) -> WindowAtom:
        """The window atom of a reading; readings that differ in the names of variables share one."""
        shape = reading.canonical
        if shape not in self._windows:
            self._windows[shape] = WindowAtom(next(self._numbers), shape)
        return self._windows[shape]

    def span(self, reading: ExtendedAtom) -> WindowSpan:
        """The span of all windows of a reading but the last, an interval that its rule computes."""
        windows = reading.windows[:-1]
        shape = ExtendedAtom(Quantifier.AT, any_atom(reading.signature), windows, Variable("_"))
        if shape not in self._spans:
            self._spans[shape] = WindowSpan(next(self._numbers), shape)
        return self._spans[shape]

    @property
    def windows(self) -> tuple[WindowAtom, ...]:
        return tuple(self._windows.values())

    @property
    def spans(self) -> tuple[WindowSpan, ...]:
        return tuple(self._spans.values())

    def direct(self, reading: ExtendedAtom) -> str:
        """The predicate that a reading without windows looks at."""
        self._readings[reading.canonical] = None
        return self.names.predicate(reading.atom.predicate)

    @property
    def readings(self) -> tuple[ExtendedAtom, ...]:
        """What rules read directly."""
        return tuple(self._readings)

    def auxiliary(self, kind: str) -> str:
        """A fresh predicate."""
        return f"_{kind}{next(self._auxiliaries)}"


class BodyText:
    """Writes the body of one rule."""

    def __init__(self, rule: PlainRule, vocabulary: Vocabulary) -> None:
        self._rule = rule
        self._vocabulary = vocabulary
        taken = set[str]().union(*map(literal_names, rule.body))
        self._fresh = (name for number in count(1) if (name := f"N{number}") not in taken)
        self._scope = Scope(rule)
        self._asking: list[Literal] = []
        """Atoms for which is being written what gives them their times."""
        self._throughouts: dict[int, str] = {}
        """Literals and the predicates that stand for them."""
        self.auxiliary_rules: list[str] = []
        self.terms = TermText(rule.sure_times(), vocabulary.native)

    def text(self) -> list[str]:
        """The literals of the body."""
        checks = [f"@in_timeline({name},{self._vocabulary.start}) = 1" for name in sorted(self._rule.unchecked_times())]
        return [*self._texts(self._rule.body), *checks]

    # -- literals ----------------------------------------------------------------------------------

    def _literal(self, literal: Literal) -> Iterator[str]:
        match literal:
            case Condition():
                yield self.terms.condition(literal)
            case ExtendedAtom(negated=False):
                yield self._atom(literal)
            case ExtendedAtom() if literal.computed_interval is None or literal.quantifier is Quantifier.ALWAYS:
                yield f"not {self._atom(literal)}"
            case ExtendedAtom():
                inside = points_in_interval(literal, next(self._fresh))
                yield f"not {self._named('holds', literal, self._texts(inside))}"
            case Collection(negated=False):
                yield from self._defined(literal)
                yield from self._collection(literal)
            case Collection():
                yield from self._defined(literal)
                if is_computed(literal.result):  # without a value, the negation does not hold either
                    yield f"{next(self._fresh)} = {self.terms.term(literal.result)}"
                yield f"not {self._named('holds', literal, self._collection(literal))}"

    def _texts(self, literals: Iterable[Literal]) -> Iterator[str]:
        return (part for literal in literals for part in self._literal(literal))

    def _atom(self, reading: ExtendedAtom) -> str:
        """The atom that stands for a reading, without its sign."""
        if self._ranges_over_all_times(reading):
            return self._at_any_time(reading)
        if reading.computed_interval is not None:
            return self._throughout(reading, reading.computed_interval)
        if reading.windows:
            return self._vocabulary.window(reading).instance(reading.names())
        time = "now" if reading.time is None else argument_text(reading.time)
        return atom_text(self._vocabulary.direct(reading), [*map(argument_text, reading.atom.args), time])

    def _ranges_over_all_times(self, reading: ExtendedAtom) -> bool:
        """`@T p` in a window without end, where some atoms of p are background: they hold at all times."""
        return (
            reading.quantifier is Quantifier.AT and reading.signature in self._vocabulary.background and reading.endless
        )

    def _needs_times(self, reading: ExtendedAtom) -> bool:
        """Does it hold at all times, and does the rule ask at which?"""
        asked = not isinstance(reading.time, Variable) or reading.time.name in self._scope.asked(reading)
        return asked and self._ranges_over_all_times(reading)

    def _at_any_time(self, reading: ExtendedAtom) -> str:
        """Such a T gets its values elsewhere, or nobody asks for them."""
        if not self._needs_times(reading):
            anytime = replace(reading, time=Variable("_"))
            return self._vocabulary.window(anytime).instance(anytime.names())
        time = reading.time
        if isinstance(time, Variable) and time.name not in self._bound(reading) | term_names(reading.atom.args):
            raise Rejected([unbound_time(reading.origin)])
        window = self._vocabulary.window(reading)
        background = self._vocabulary.names.background(reading.signature)
        self._define(
            window.instance(reading.names()),
            [
                *self._domain(reading),
                atom_text(background, map(argument_text, reading.atom.args)),
                f"_span{window.number}(_L,_U)",
                f"@in_timeline({argument_text(time)},_L) = 1",
                f"{argument_text(time)} <= _U",  # a partition window without arrivals ends at once
            ],
        )
        return window.instance(reading.names())

    def _throughout(self, reading: ExtendedAtom, window: IntervalWindow) -> str:
        """`always` in an interval whose bounds the rule computes: an atom over its variables and the bounds."""
        span, names = self._vocabulary.span(reading), self._vocabulary.names
        args = [named_argument(term) for term in reading.atom.args]
        known = atom_text(names.background(reading.signature), args)
        name = self._throughouts.setdefault(id(reading), self._vocabulary.auxiliary("always"))
        atom = atom_text(name, sorted(literal_names(reading)))
        bounded = [
            *self._domain(reading),
            f"_span{span.number}(_L,_U)",
            f"_A = @bound({self.terms.term(window.start)}), _F = #max {{ _A; _L }}",
            f"_B = @bound({self.terms.term(window.end)}), _E = #min {{ _B; _U }}",
            "_F <= _E",
        ]
        first, last, between = (atom_text(span.source(names), [*args, time]) for time in ("_F", "_E", "_T"))
        self._define(atom, [*bounded, first, last, f"{between} : _T = _F.._E"])
        if reading.signature in self._vocabulary.background:
            self._define(atom, [*bounded, known])
        return atom

    # -- aggregates --------------------------------------------------------------------------------

    def _defined(self, collection: Collection) -> Iterator[str]:
        """A symbol cannot be added: then no rule fires, whether the aggregate is negated or not."""
        if collection.function in ("sum", "avg"):
            yield f"0 = #count {{ {self._elements(collection, '', '@symbolic({}) = 1')} }}"

    def _collection(self, collection: Collection) -> Iterator[str]:
        """The literals that compute the aggregate and compare its value, as if it were positive."""
        value = collection.result if collection.assigns else Variable(next(self._fresh))
        name = value.name if isinstance(value, Variable) else ""
        match collection.function:
            case "count":
                yield f"{name} = #count {{ {self._elements(collection)} }}"
            case "sum" | "avg":
                weights = next(self._fresh)
                yield f"{weights} = #sum {{ {self._elements(collection, '@weight({}),')} }}"
                if collection.function == "sum":
                    yield f"{name} = @total({weights})"
                else:
                    number = next(self._fresh)
                    yield f"{number} = #count {{ {self._elements(collection)} }}"
                    yield f"{name} = @mean({weights},{number})"
            case _:
                yield from self._extreme(collection, name)
        if not collection.assigns:
            yield self.terms.condition(Condition(Comparison(collection.operator, collection.result, value)))

    def _elements(self, collection: Collection, weight: str = "", *tests: str) -> str:
        written = []
        for element in collection.elements:
            terms = [self.terms.term(term) for term in element.terms]
            body = ", ".join((*self._element_texts(element), *(one.format(terms[0]) for one in tests)))
            weighed = weight.format(",".join(terms))
            written.append(f"{weighed}{','.join(terms)}{f' : {body}' if body else ''}")
        return " ; ".join(written)

    def _element_texts(self, element: Element) -> list[str]:
        around, self._scope = self._scope, Scope(self._rule, element)
        written = list(self._texts(element.body))
        self._scope = around
        return written

    def _extreme(self, collection: Collection, name: str) -> Iterator[str]:
        """#min and #max: a value that no other one passes, in the order of the language and not of clingo."""
        shared = sorted(self._scope.given(collection))
        member, passed = self._vocabulary.auxiliary("member"), self._vocabulary.auxiliary("passed")
        for element in collection.elements:
            first, *others = element.terms
            computed = (f"{next(self._fresh)} = {self.terms.term(one)}" for one in others if is_computed(one))
            body = [*self._domain(collection), *self._element_texts(element), *computed]
            self._define(atom_text(member, [*shared, self.terms.term(first)]), body)
        both = [atom_text(member, [*shared, "_V"]), atom_text(member, [*shared, "_W"])]
        beyond = self.terms.compared("<" if collection.function == "min" else ">", "_W", "_V")
        self._define(atom_text(passed, [*shared, "_V"]), [*both, beyond])
        yield atom_text(member, [*shared, name])
        yield f"not {atom_text(passed, [*shared, name])}"

    # -- auxiliary rules ---------------------------------------------------------------------------

    def _define(self, head: str, body: Sequence[str]) -> None:
        self.auxiliary_rules.append(f"{head} :- {', '.join(body)}." if body else f"{head}.")

    def _named(self, kind: str, literal: Literal, inside: Iterable[str]) -> str:
        """A fresh atom over the variables the literal shares with its rule, true when `inside` holds."""
        shared = self._scope.shared(literal)
        if isinstance(literal, Collection):
            shared = self._scope.given(literal) | term_names([literal.result])
        atom = atom_text(self._vocabulary.auxiliary(kind), sorted(shared))
        self._define(atom, [*self._domain(literal), *inside])
        return atom

    def _domain(self, literal: Literal) -> Iterator[str]:
        """The other positive atoms of the body, and what is computed from them: they give shared variables values."""
        return (text for text, _ in self._providers(literal))

    def _bound(self, literal: Literal) -> set[str]:
        return set[str]().union(*(names for _, names in self._providers(literal)))

    def _providers(self, literal: Literal) -> list[tuple[str, set[str]]]:
        asks = self._asks(literal)
        self._asking += [literal] if asks else []
        written = [(self._provider(other), names) for other, names in self._giving(literal)]
        if asks:
            self._asking.pop()
        return written

    def _giving(self, literal: Literal) -> list[tuple[Literal, set[str]]]:
        """What gives the variables of a literal values, and which of them; it is among those that ask, if it does."""
        # Atoms that get their times elsewhere do not give them to each other, unless there is no other way.
        found = list(self._scope.providers(literal, lambda one: not (self._asking and self._asks(one))))
        if not self._has_enough(literal, found):
            found = list(self._scope.providers(literal, self._may_be_asked))
        return found

    def _has_enough(self, literal: Literal, found: Iterable[tuple[Literal, set[str]]]) -> bool:
        return self._scope.wanted(literal) <= set[str]().union(*(names for _, names in found))

    def _asks(self, literal: Literal) -> bool:
        """Is there an auxiliary rule about the times that the rest of the body gives to it?"""
        if not isinstance(literal, ExtendedAtom):
            return False
        throughout = literal.quantifier is Quantifier.ALWAYS and literal.computed_interval is not None
        return throughout or self._needs_times(literal)

    def _may_be_asked(self, reading: ExtendedAtom) -> bool:
        """Does it give values without what is being asked for just now?"""
        if any(reading is one for one in self._asking):
            return False
        if not self._asks(reading) or not self._scope.wanted(reading):
            return True
        self._asking.append(reading)
        enough = self._has_enough(reading, self._giving(reading))
        self._asking.pop()
        return enough

    def _provider(self, literal: Literal) -> str:
        match literal:
            case ExtendedAtom():
                return self._atom(literal)
            case Condition():
                return self.terms.condition(literal)
        # Under a name of its own, so that its local variables do not meet those of the literal.
        return self._named("given", literal, (*self._defined(literal), *self._collection(literal)))
