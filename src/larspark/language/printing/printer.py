"""From tree to text: what is printed parses to an equal tree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from larspark.language.choices import left_open
from larspark.language.facts import Signature
from larspark.language.printing.terms import show_argument, show_term
from larspark.language.traversal import atoms
from larspark.language.tree import (
    UNBOUNDED,
    Aggregate,
    AggregateElement,
    Always,
    And,
    At,
    Atom,
    Background,
    Call,
    Clock,
    ColumnType,
    Comparison,
    Const,
    Constant,
    Duration,
    Formula,
    FunctionImport,
    Hold,
    Implies,
    Input,
    Node,
    Not,
    Now,
    Operation,
    Or,
    Pattern,
    Prefer,
    Program,
    Ranked,
    Record,
    Reset,
    Rule,
    Say,
    Show,
    Some,
    Temporal,
    Term,
    Timezone,
    Truth,
    Variable,
    Windowed,
    WindowNode,
)
from larspark.language.values import quoted, show_value
from larspark.language.windows.text import show_extent

# How tightly a formula binds, as in the grammar.
_FORMULA, _DISJUNCTION, _CONJUNCTION, _LITERAL, _PLAIN, _MODAL, _PRIMARY = range(7)


def show(node: Node) -> str:
    """The text of any node."""
    match node:
        case Program(rules, directives):
            return "".join(f"{show(part)}\n" for part in (*directives, *rules))
        case Rule(head, body):
            return _rule(head, body)
        case Constant() | Variable() | Now() | Duration() | Operation() | Call():
            return show_term(node)
        case WindowNode():
            return node.show(None)
        case Pattern():
            return node.show()
        case AggregateElement():
            return _element(node)
        case Prefer():
            return _prefer(node)
        case (
            Clock()
            | Timezone()
            | Const()
            | Show()
            | Input()
            | Background()
            | FunctionImport()
            | Record()
            | Hold()
            | Temporal()
            | Say()
        ):
            return _directive(node)
        case _:
            assert isinstance(node, Formula)
            return _formula(node, _FORMULA)


def show_meaning(program: Program) -> str:
    """The text of what a program concludes from: without the wording of explanations."""
    return show(replace(program, directives=tuple(one for one in program.directives if not isinstance(one, Say))))


def _rule(head: Formula, body: tuple[Formula, ...]) -> str:
    if not body:
        return f"{_head(head)}."
    neck = ":-" if head == Truth(False) else f"{_head(head)} :-"
    return f"{neck} {_body(body)}."


def _head(head: Formula) -> str:
    if (chosen := left_open(head)) is not None:
        return f"{{ {_formula(chosen, _PLAIN)} }}"
    parts = head.parts if isinstance(head, Or) else (head,)
    return " | ".join(_formula(part, _PLAIN) for part in parts)


def _body(literals: Iterable[Formula]) -> str:
    return ", ".join(_formula(literal, _LITERAL) for literal in literals)


def _formula(formula: Formula, level: int) -> str:
    """The text of a formula where the grammar wants one that binds at least as tightly as `level`."""
    own, text = _bound(formula)
    return text if own >= level else f"({text})"


def _bound(formula: Formula) -> tuple[int, str]:
    match formula:
        case Atom(predicate, args):
            name = show_value(predicate)
            return _PRIMARY, f"{name}({','.join(map(show_argument, args))})" if args else name
        case Truth(value):
            return _PRIMARY, "true" if value else "false"
        case Some(body):
            return _MODAL, f"some {_formula(body, _MODAL)}"
        case Always(body):
            return _MODAL, f"always {_formula(body, _MODAL)}"
        case At(time, body):
            moment = show_term(time) if _stands_bare(time) else f"({show_term(time)})"
            return _MODAL, f"@{moment} {_formula(body, _MODAL)}"
        case Windowed() | Reset(Windowed()):
            return _PLAIN, _windowed(formula)
        case Not(body):
            return _LITERAL, f"not {_formula(body, _LITERAL)}"
        case Reset(body):
            return _LITERAL, f"reset {_formula(body, _LITERAL)}"
        case Comparison(operator, left, right):
            return _LITERAL, f"{show_term(left)} {operator} {show_argument(right)}"
        case Aggregate(function, operator, result, elements):
            inside = "; ".join(map(_element, elements))
            return _LITERAL, f"{show_term(result)} {operator} #{function}{{ {inside} }}"
        case Ranked(function, ranked, limit, element):
            places = ",".join(map(show_term, ranked))
            return _LITERAL, f"({places}) = #{function}{{ {show_term(limit)}; {_element(element)} }}"
        case And(parts):
            return _CONJUNCTION, " and ".join(_formula(part, _LITERAL) for part in parts)
        case Or(parts):
            return _DISJUNCTION, " or ".join(_formula(part, _CONJUNCTION) for part in parts)
        case Implies(left, right):
            return _FORMULA, f"{_formula(left, _DISJUNCTION)} -> {_formula(right, _FORMULA)}"


def _stands_bare(time: Term) -> bool:
    """Whether a time needs no parentheses behind `@`."""
    match time:
        case Variable() | Now() | Constant(str()):
            return True
        case Constant(int(point)):
            return point >= 0
    return False


def _windowed(formula: Windowed | Reset) -> str:
    """A chain of windows behind the formula; an atom alone would get an implicit `some`, so it is parenthesised."""
    windows: list[str] = []
    body: Formula = formula
    found = list(dict.fromkeys(atoms(formula)))
    atom = found[0] if len(found) == 1 else None
    while True:
        match body:
            case Windowed(window, inner):
                windows.append(window.show(atom))
                body = inner
            case Reset(Windowed(window, inner)):
                windows.append(window.show(atom).replace("[", "[input ", 1))
                body = inner
            case Some(Atom()):
                return f"{_formula(body.body, _PRIMARY)} {' '.join(windows)}"
            case Atom():
                return f"({_formula(body, _PRIMARY)}) {' '.join(windows)}"
            case _:
                return f"{_formula(body, _MODAL)} {' '.join(windows)}"


def _element(element: AggregateElement) -> str:
    terms = ",".join(map(show_argument, element.terms))
    return f"{terms} : {_body(element.body)}" if element.body else terms


def _prefer(preference: Prefer) -> str:
    level = f"@{preference.level}" if preference.level else ""
    terms = "".join(f", {show_argument(term)}" for term in preference.terms)
    return f"#prefer {show_term(preference.weight)}{level}{terms} : {_body(preference.body)}."


def _directive(
    node: Clock | Timezone | Const | Show | Input | Background | FunctionImport | Record | Hold | Temporal | Say,
) -> str:
    match node:
        case Clock(length):
            return f"#clock {show_term(length)}."
        case Const(name, value):
            return f"#const {name} = {show_value(value)}."
        case Timezone(name):
            return f"#timezone {quoted(name)}."
        case Show(signatures):
            named = node.columns or ((),) * len(signatures)
            shown = (_columns(*one) if one[1] else str(one[0]) for one in zip(signatures, named, strict=True))
            return f"#show {', '.join(shown)}."
        case Input(signature, ()):
            return f"#input {signature}."
        case Input(signature, columns):
            return f"#input {_columns(signature, columns, node.types)}."
        case Background(path, signature):
            return f"#background {quoted(path)} as {signature}."
        case FunctionImport(signature, path):
            return f"#function {signature} from {quoted(path)}."
        case Record(signature):
            return f"#record {signature}."
        case Hold(signature, keys, length):
            per = f" per {', '.join(str(key + 1) for key in keys)}" if keys else ""
            return f"#hold {signature}{per}{'' if length is UNBOUNDED else f' for {show_extent(length)}'}."
        case Temporal(signature):
            return f"#temporal {signature}."
        case Say(signature, names, sentence, time):
            about = "" if time is None else f"@{time} "
            args = f"({','.join(names)})" if names else ""
            return f"#say {about}{show_value(signature.predicate)}{args} {quoted(sentence)}."


def _columns(signature: Signature, names: Sequence[str], types: Sequence[ColumnType | None] = ()) -> str:
    """`readings(machine: text, celsius)`."""
    told = [show_value(name) for name in names]
    for place, kind in enumerate(types):
        told[place] += f": {kind}" if kind else ""
    return f"{show_value(signature.predicate)}({', '.join(told)})"
