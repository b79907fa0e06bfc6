"""`#temporal` predicates in the spelling of everything else: `cool(X,T+1)` is `@(T+1) cool(X)`."""

from __future__ import annotations

from dataclasses import replace

from larspark.language.facts import Signature
from larspark.language.traversal import rewrite
from larspark.language.tree import At, Atom, Directive, Hold, Input, Node, Program, Record, Say, Show, Temporal


def pinned(program: Program) -> Program:
    """The program without `#temporal`: atoms whose last argument is their time are pinned to it."""
    declared = {d.signature for d in program.directives if isinstance(d, Temporal) and d.signature.arity}
    if not declared:
        return program

    def pin(node: Node) -> Node:
        if isinstance(node, Atom) and node.signature in declared:
            *args, time = node.args
            return At(time, replace(node, args=tuple(args)), origin=node.origin)
        return node

    def shorter(signature: Signature) -> Signature:
        return Signature(signature.predicate, signature.arity - 1) if signature in declared else signature

    def rename(directive: Directive) -> Directive:
        match directive:
            case Show(signatures, columns):
                names = tuple(
                    one[:-1] if signature in declared else one
                    for signature, one in zip(signatures, columns, strict=False)
                )
                return replace(directive, signatures=tuple(map(shorter, signatures)), columns=names)
            case Input(signature, columns, types) if signature in declared:
                return replace(directive, signature=shorter(signature), columns=columns[:-1], types=types[:-1])
            case Record(signature):
                return replace(directive, signature=shorter(signature))
            case Hold(signature, keys):
                left = shorter(signature)
                return replace(directive, signature=left, keys=tuple(key for key in keys if key < left.arity))
            case Say(signature, names) if signature in declared:
                time = None if names[-1] == "_" else names[-1]
                return replace(directive, signature=shorter(signature), names=names[:-1], time=time)
        return rewrite(directive, pin)

    directives = tuple(rename(d) for d in program.directives if not isinstance(d, Temporal))
    return replace(program, rules=tuple(rewrite(rule, pin) for rule in program.rules), directives=directives)
