"""Rule bodies as program text, with the auxiliary rules they need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count

from larspark.diagnostics import Rejected
from larspark.language.extended_atoms import ExtendedAtom, Quantifier
from larspark.language.facts import Signature
from larspark.language.tree import Comparison, Variable
from larspark.reasoners.clingo.names import ClingoNames
from larspark.reasoners.clingo.terms import TermText, is_computed
from larspark.reasoners.clingo.windows import WindowAtom, argument_text, atom_text
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
        self._readings: dict[ExtendedAtom, None] = {}
        self._auxiliaries = count(1)

    def window(self, reading: ExtendedAtom) -> WindowAtom:
        """The window atom of a reading; readings that differ in the names of variables share one."""
        shape = reading.canonical
        if shape not in self._windows:
            self._windows[shape] = WindowAtom(len(self._windows) + 1, shape)
        return self._windows[shape]

    @property
    def windows(self) -> tuple[WindowAtom, ...]:
        return tuple(self._windows.values())

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
        self._timeless = False
        """Is what gives an atom of background its time being written?"""
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
            case ExtendedAtom(computed_interval=None):
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
        if reading.windows:
            return self._vocabulary.window(reading).instance(reading.names())
        time = "now" if reading.time is None else argument_text(reading.time)
        return atom_text(self._vocabulary.direct(reading), [*map(argument_text, reading.atom.args), time])

    def _ranges_over_all_times(self, reading: ExtendedAtom) -> bool:
        """`@T p` in a window without end, where some atoms of p are background: they hold at all times."""
        return (
            reading.quantifier is Quantifier.AT and reading.signature in self._vocabulary.background and reading.endless
        )

    def _at_any_time(self, reading: ExtendedAtom) -> str:
        """Such a T gets its values elsewhere, or nobody asks for them."""
        time = reading.time
        if isinstance(time, Variable) and time.name not in self._scope.asked(reading):
            anytime = replace(reading, time=Variable("_"))
            return self._vocabulary.window(anytime).instance(anytime.names())
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
            first = terms[0] if terms else "0"
            body = ", ".join((*self._element_texts(element), *(one.format(first) for one in tests)))
            weighed = weight.format(",".join(terms) or "0")
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

    def _providers(self, literal: Literal) -> Iterator[tuple[str, set[str]]]:
        # Atoms that get their time elsewhere do not give it to each other.
        timeless = self._timeless or (isinstance(literal, ExtendedAtom) and self._ranges_over_all_times(literal))
        binds = self._scope.providers(literal, lambda one: not (timeless and self._ranges_over_all_times(one)))
        for other, names in binds:
            match other:
                case ExtendedAtom():
                    yield self._atom(other), names
                case Condition():
                    yield self.terms.condition(other), names
                case Collection():
                    # Under a name of its own, so that its local variables do not meet those of the literal.
                    around, self._timeless = self._timeless, timeless
                    yield self._named("given", other, (*self._defined(other), *self._collection(other))), names
                    self._timeless = around
