"""Random directives; what they say fits the rules, so that the program stays acceptable."""

from __future__ import annotations

from dataclasses import replace

from larspark.language.facts import Signature
from larspark.language.traversal import atoms, rewrite, walk
from larspark.language.tree import (
    UNBOUNDED,
    At,
    Atom,
    Background,
    Call,
    Directive,
    FunctionImport,
    Hold,
    Input,
    Node,
    Now,
    Program,
    Record,
    Rule,
    Say,
    Show,
    Temporal,
    Timezone,
)
from support.generate.draw import Draw
from support.generate.setting import Setting
from support.generate.shape import BACKGROUND, INPUT
from support.generate.terms import IMPORTED
from support.generate.windows import WindowMaker


def derived_by(rules: tuple[Rule, ...]) -> list[Signature]:
    return sorted({atom.signature for rule in rules for atom in atoms(rule.head)})


def wide_directives(draw: Draw, setting: Setting, rules: tuple[Rule, ...], given: list[Signature]) -> list[Directive]:
    """`given`: input that is background, too, so that it has to be declared."""
    derived = derived_by(rules)
    found: list[Directive] = []
    if setting.clock:
        found.append(setting.clock)
    if draw.chance(0.02):
        found.append(Timezone("Europe/Vienna"))
    if setting.const:
        found.append(setting.const)
    found += [_declared(draw, signature) for signature in (*sorted(setting.arriving), *given)]
    if derived and draw.chance(0.3):
        found += [Record(signature) for signature in draw.some(derived, 0.5)]
    if draw.chance(0.3):
        found += [_held(draw, setting, signature) for signature in draw.some(INPUT, 0.5)]
    if derived and draw.chance(0.1):
        found.append(Show(tuple(draw.random.sample(derived, draw.random.randint(1, len(derived))))))
    if any(isinstance(node, Call) and node.function == IMPORTED for rule in rules for node in walk(rule)):
        found.append(FunctionImport(Signature(IMPORTED, 1), "helpers.py"))
    if draw.chance(0.1):
        found.append(Background("known.csv", BACKGROUND))
    if setting.const and derived:  # words change no answer
        found.append(Say(derived[0], ("_",) * derived[0].arity, "it holds"))
    return found


def _declared(draw: Draw, signature: Signature) -> Input:
    columns = tuple(f"c{number}" for number in range(signature.arity)) if draw.chance(0.5) else ()
    return Input(signature, columns)


def _held(draw: Draw, setting: Setting, signature: Signature) -> Hold:
    keys = tuple(place for place in range(signature.arity) if draw.chance(0.5))
    lengths = WindowMaker(draw, setting, Now)
    return Hold(signature, keys, UNBOUNDED if draw.chance(0.15) else lengths.length(draw.pick([0, 1, 2, 2, 3, 5])))


def with_temporal_argument(program: Program, signature: Signature) -> Program:
    """The same program, in which the predicate has its time as last argument wherever one is named."""

    def unpin(node: Node) -> Node:
        match node:
            case At(time, Atom() as atom) if atom.signature == signature:
                return replace(atom, args=(*atom.args, time))
        return node

    longer = Signature(signature.predicate, signature.arity + 1)
    rules = tuple(rewrite(rule, unpin) for rule in program.rules)
    return replace(program, rules=rules, directives=(*program.directives, Temporal(longer)))
