"""Random aggregates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from larspark.language.facts import Signature
from larspark.language.traversal import atoms
from larspark.language.tree import (
    UNBOUNDED,
    Aggregate,
    AggregateElement,
    At,
    Atom,
    Comparison,
    Constant,
    Formula,
    Not,
    Now,
    Operation,
    Ranked,
    Some,
    Term,
    TimeWindow,
    TupleWindow,
    Variable,
    Windowed,
)
from support.generate.formulas import FormulaMaker
from support.generate.shape import BACKGROUND, FREQUENT_INPUT, INPUT, OVER_ANYTHING

if TYPE_CHECKING:
    from support.generate.rules import RuleMaker

OPERATORS = ("=", "!=", "<", "<=", ">", ">=")


def aggregate(maker: RuleMaker, *, binds: bool = True) -> Formula:
    """`N = #sum{ V : e(V) [3] }` or `1 <= #count{…}`; what is bound inside is local, the rest is of the rule."""
    if not maker.shape.wide:
        return _narrow(maker)
    draw = maker.draw
    if binds and maker.shape.variables and draw.chance(0.2):
        return rank(maker)
    function = draw.pick(["count", "count", "sum", "sum", "min", "max", "avg"])
    number = draw.weighted({0: 0.2, 1: 5, 2: 4, 3: 1})
    elements: tuple[AggregateElement, ...] = ()
    for _ in range(number):
        elements += (plain_element(maker) if draw.chance(0.4) else _element(maker, elements),)
    derived = [signature for signature in maker.below if signature.arity]
    if draw.chance(0.25):
        elements = _of_different_length(maker, draw.pick(derived or INPUT[2:]))
    return _compared(maker, function, elements, binds=binds)


def of_same_elements(maker: RuleMaker, other: Aggregate) -> Formula:
    """Another function, or the same again."""
    draw = maker.draw
    function = draw.pick(["count", "sum", "min", "max", "avg"])
    if isinstance(other.result, Variable) and draw.chance(0.25):  # compared with what is computed beside it
        return Aggregate(function, draw.pick(OPERATORS), other.result, other.elements)
    return _compared(maker, function, other.elements, binds=True)


def told(maker: RuleMaker) -> list[Formula]:
    """`N = #avg{ V : e(V) [3] }`, perhaps compared: the value itself, of atoms that come and go."""
    draw = maker.draw
    function = draw.pick(["count", "sum", "min", "max", "avg", "avg", "avg"])
    value = maker.new_data(next((name for name in "NMO" if name not in maker.data), "N"))
    found: list[Formula] = [Aggregate(function, "=", value, (plain_element(maker),))]
    if draw.chance(0.4):
        found.append(Comparison(draw.pick(OPERATORS), value, Constant(draw.pick([1, 2, 3]))))
        draw.random.shuffle(found)
    return found


def dependent(maker: RuleMaker, other: Aggregate) -> Formula:
    """`M = #count{ V : e(V) [3], V < N }`, where another aggregate computes N."""
    element = plain_element(maker)
    condition = Comparison(maker.draw.pick(OPERATORS), element.terms[0], other.result)
    value = maker.new_data(next((name for name in "NMO" if name not in maker.data), "N"))
    return Aggregate(maker.draw.pick(["count", "sum", "max"]), "=", value, (with_condition(element, condition),))


def with_condition(element: AggregateElement, condition: Formula) -> AggregateElement:
    return AggregateElement(element.terms, (*element.body, condition))


def _compared(maker: RuleMaker, function: str, elements: tuple[AggregateElement, ...], *, binds: bool) -> Formula:
    """The value of a function gets a name, or is compared."""
    draw = maker.draw
    name = next((name for name in "NMO" if name not in maker.data), None)
    if binds and maker.shape.variables and name and draw.chance(0.5):
        return Aggregate(function, "=", maker.new_data(name), elements)
    result: Term = Now() if draw.chance(0.08) else Constant(draw.pick([0, 0, 1, 2]))
    if draw.chance(0.3):
        result = maker.computed() if draw.chance(0.3) else maker.leaf(maker.bound)
    found = Aggregate(function, draw.pick(OPERATORS), result, elements)
    return Not(found) if draw.chance(0.15) else found


def rank(maker: RuleMaker, *, plain: bool = False) -> Formula:
    """`(N,X) = #top{ 2; V : e(V) [3] }`, with constants and `_` in the result now and then."""
    draw = maker.draw
    element = plain_element(maker, 0.35) if plain or draw.chance(0.65) else _element(maker, ())
    result: list[Term] = []
    for _ in range(1 + len(element.terms)):
        name = next((name for name in "NMO" if name not in maker.data), None)
        if name and (plain or draw.chance(0.55)):
            result.append(maker.new_data(name))
        elif result and draw.chance(0.4):
            computed = (Now(), maker.computed())
            result.append(draw.pick([*computed, *[maker.clock] * 4] if maker.setting.clock else computed))
        elif draw.chance(0.5):
            result.append(maker.any_value() if draw.chance(0.5) else Constant(draw.pick([1, 1, 2])))
        else:
            found = maker.computed() if draw.chance(0.3) else maker.leaf(maker.bound)
            # A tuple that begins with a symbol is read as a formula.
            result.append(found if result or isinstance(found, Variable) else Constant(1))
    return Ranked(draw.pick(["top", "bottom"]), tuple(result), Constant(draw.pick([1, 1, 2, 3])), element)


def plain_element(outer: RuleMaker, endless: float = 0.1) -> AggregateElement:
    """`V : e(V) [3]`: several atoms that come and go, nothing left out."""
    draw = outer.draw
    signature = draw.pick([one for one in (*FREQUENT_INPUT, *outer.below * 3) if one.arity])
    own = [Variable(name) for name in "VW"]
    args = tuple(own[place] if place < 2 else outer.any_value() for place in range(signature.arity))
    window = (
        TimeWindow(UNBOUNDED)
        if draw.chance(endless)
        else TimeWindow(outer.windows.length(draw.pick([0, 1, 2, 3, 5, 5])))
    )
    terms = draw.pick([args[:2], args[:1], args[:1], args[1::-1]])
    return AggregateElement(terms, (Windowed(window, Some(Atom(signature.predicate, args))),))


def _element(outer: RuleMaker, others: Sequence[AggregateElement]) -> AggregateElement:
    """One to three terms, over one or two atoms, perhaps with a negation or a comparison among them.

    Often it is about what the others are about, in tuples of another length.
    """
    draw = outer.draw
    inner = outer.inside()
    allowed = (*FREQUENT_INPUT, *outer.below * 3, *((BACKGROUND,) if outer.shape.background else ()))
    again = [signature for signature in outer.read if signature in allowed]
    readable = again if again and draw.chance(0.35) else allowed
    lengths = [1, 1, 1, 2, 2, 3]
    similar = bool(others) and draw.chance(0.6)
    if similar:
        told = {atom.signature for part in others[-1].body for atom in atoms(part)}
        readable = [signature for signature in allowed if signature in told] or readable
        lengths = [length for length in lengths if length != len(others[-1].terms)]
    body: list[Formula] = []
    if not draw.chance(0.03):
        body += [inner.literal(readable, binds=True) for _ in range(draw.pick([1, 1, 1, 2]))]
        if outer.shape.negation != "none" and draw.chance(0.15):
            body.append(Not(inner.literal((*INPUT, *outer.below), binds=False)))
        if inner.bound and draw.chance(0.3):
            left, right = Variable(draw.pick(inner.bound)), inner.leaf(outer.bound or inner.bound)
            body.append(Comparison(draw.pick(OPERATORS), left, right))
        if outer.shape.full and draw.chance(0.5):
            body.append(FormulaMaker(inner).formula(draw.pick([1, 1, 2])))
        draw.random.shuffle(body)
    terms = tuple(_term(outer, inner) for _ in range(draw.pick(lengths)))
    if similar and isinstance(terms[-1], Variable) and draw.chance(0.6):
        body.append(Comparison(draw.pick(OPERATORS), terms[-1], inner.leaf(outer.bound)))
    return AggregateElement(terms, tuple(body))


def _of_different_length(outer: RuleMaker, signature: Signature) -> tuple[AggregateElement, ...]:
    """`2,V : d(V) [3], V < X; V : d(V) [1 #]`: the same atoms in short and in long tuples, often taken back again."""
    draw = outer.draw
    few, many = _coming_and_going(outer, signature), _coming_and_going(outer, signature)
    own = [Variable(name) for name in "VW"[: signature.arity]]
    first = draw.pick([*own, outer.value(), outer.value()])
    last = draw.pick(own)
    condition = Comparison(draw.pick(OPERATORS), last, outer.leaf(outer.bound))
    elements = [AggregateElement((draw.pick(own),), (few,)), AggregateElement((first, last), (many, condition))]
    draw.random.shuffle(elements)
    return tuple(elements)


def _coming_and_going(outer: RuleMaker, signature: Signature) -> Formula:
    """The atoms of a predicate: now, at any time, in a time window, or the last ones."""
    draw = outer.draw
    args = tuple(Variable("VW"[place]) if place < 2 else outer.any_value() for place in range(signature.arity))
    atom = Atom(signature.predicate, args)
    form = draw.weighted({"plain": 1, "at": 1, "time": 2, "counted": 2 if outer.setting.counted(signature) else 0})
    match form:
        case "plain":
            return atom
        case "at":
            return At(outer.any_value(), atom)
        case "counted":
            return Windowed(TupleWindow(draw.pick([1, 2])), Some(atom))
    return Windowed(
        TimeWindow(UNBOUNDED if draw.chance(0.2) else outer.windows.length(draw.pick([0, 1, 2]))), Some(atom)
    )


def _term(outer: RuleMaker, inner: RuleMaker) -> Term:
    draw = outer.draw
    local = [name for name in inner.bound if name not in outer.bound]
    if local and draw.chance(0.08):
        return Operation(draw.pick("+-"), Now(), Variable(draw.pick(local)))
    if local and draw.chance(0.7):
        return Variable(draw.pick(local))
    if inner.bound and draw.chance(0.2):
        return inner.computed()
    return inner.leaf(inner.bound)


def _narrow(maker: RuleMaker) -> Formula:
    draw = maker.draw
    signature = draw.pick([found for found in (*FREQUENT_INPUT, *maker.below * 3) if found.arity])
    fixed = tuple(maker.argument(binds=False) for _ in range(signature.arity - 1))
    body: Formula = Atom(signature.predicate, (Variable("V"), *fixed))
    kinds = [kind for kind in maker.shape.windows if signature in INPUT or kind in OVER_ANYTHING]
    if kinds and draw.chance(0.8):
        body = Some(body)
        for window in reversed(maker.windows.narrow(draw.pick(kinds), signature)):
            body = Windowed(window, body)
    function = draw.pick(["count", "count", "sum", "min", "max"])
    element = AggregateElement((Variable("V"),), (body,))
    if maker.shape.variables and draw.chance(0.5):
        return Aggregate(function, "=", maker.new_data("N"), (element,))
    return Aggregate(function, draw.pick(["=", "<", ">="]), Constant(draw.pick([0, 1, 2])), (element,))
