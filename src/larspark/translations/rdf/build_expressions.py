"""Building the terms and expressions of queries, bottom-up over the parse tree."""

from __future__ import annotations

from functools import reduce
from typing import cast
from urllib.parse import urljoin

from lark import Token, Transformer, v_args
from lark.tree import Meta
from pyoxigraph import Literal, NamedNode

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.tree import Constant, Variable
from larspark.translations.rdf.queries import (
    AggregateCall,
    BothPatterns,
    Bound,
    Calculation,
    Comparing,
    EitherPattern,
    Existing,
    Expression,
    GroupPattern,
    Negated,
    Placed,
    PlainTerm,
    RdfQuery,
)
from larspark.translations.rdf.terms import RDF_TYPE, XSD, iri, value_of
from larspark.translations.reading import SYNTAX, UNKNOWN_NAME, origin_of, unquote


class ExpressionBuilder(Transformer[Token, RdfQuery]):
    """Knows the prefixes of the query."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self.file = file
        self.prefixes: dict[str, str] = {}
        self.base_iri = ""

    # -- terms -------------------------------------------------------------------------------------

    @v_args(inline=True)
    def variable(self, token: Token) -> Variable:
        return Variable(str(token[1:]), origin=origin_of(token, self.file))

    @v_args(inline=True)
    def blank(self, token: Token) -> Variable:
        # A blank node of a query is a variable that cannot be asked for.
        return Variable(f"blank {token[2:]}", origin=origin_of(token, self.file))

    @v_args(inline=True)
    def iri(self, token: Token | Constant) -> Constant:
        return token if isinstance(token, Constant) else self._iri(token, self.resolved(token))

    @v_args(inline=True)
    def prefixed(self, token: Token) -> Constant:
        prefix, _, local = token.partition(":")
        if prefix not in self.prefixes:
            message = f"The prefix `{prefix}:` is not declared."
            raise self.rejected(token, UNKNOWN_NAME, message, f"Write PREFIX {prefix}: <iri> before the query.")
        return self._iri(token, self.prefixes[prefix] + local)

    def rdf_type(self, _: list[object]) -> Constant:
        return Constant(RDF_TYPE)

    @v_args(inline=True)
    def text(self, token: Token) -> Constant:
        return Constant(value_of(Literal(unquote(token))))

    @v_args(inline=True)
    def text_in(self, token: Token, language: Token) -> Constant:
        try:
            return Constant(value_of(Literal(unquote(token), language=str(language[1:]))))
        except ValueError:
            message = f"`{language}` is not a language."
            raise self.rejected(language, SYNTAX, message, "Write a tag such as @en or @de-AT.") from None

    @v_args(inline=True)
    def typed(self, token: Token, datatype: Constant) -> Constant:
        return Constant(value_of(Literal(unquote(token), datatype=NamedNode(address(datatype)[1:-1]))))

    @v_args(inline=True)
    def number(self, token: Token) -> Constant:
        return Constant(value_of(Literal(str(token), datatype=NamedNode(XSD + "decimal"))))

    @v_args(inline=True)
    def truth(self, token: Token) -> Constant:
        return Constant(value_of(Literal(str(token), datatype=NamedNode(XSD + "boolean"))))

    # -- expressions -------------------------------------------------------------------------------

    def expression(self, children: list[object]) -> Expression:
        return reduce(EitherPattern, map(expression, children))

    def conjunct(self, children: list[object]) -> Expression:
        return reduce(BothPatterns, map(expression, children))

    @v_args(meta=True)
    def relation(self, meta: Meta, children: list[object]) -> Expression:
        left, operator, right = children
        return Comparing(str(operator), expression(left), expression(right), origin=origin_of(meta, self.file))

    @v_args(meta=True)
    def sum(self, meta: Meta, children: list[object]) -> Expression:
        return self._left_to_right(meta, children)

    @v_args(meta=True)
    def product(self, meta: Meta, children: list[object]) -> Expression:
        return self._left_to_right(meta, children)

    def _left_to_right(self, meta: Meta, children: list[object]) -> Expression:
        result = expression(children[0])
        for operator, right in zip(children[1::2], children[2::2], strict=True):
            result = Calculation(str(operator), result, expression(right), origin=origin_of(meta, self.file))
        return result

    @v_args(meta=True)
    def negated(self, meta: Meta, children: list[object]) -> Expression:
        return Negated(expression(children[0]), origin=origin_of(meta, self.file))

    @v_args(meta=True)
    def bound(self, meta: Meta, children: list[Variable]) -> Expression:
        return Bound(children[0].name, origin=origin_of(meta, self.file))

    @v_args(meta=True)
    def exists(self, meta: Meta, children: list[GroupPattern]) -> Expression:
        return Existing(children[0], origin=origin_of(meta, self.file))

    @v_args(meta=True)
    def not_exists(self, meta: Meta, children: list[GroupPattern]) -> Expression:
        place = origin_of(meta, self.file)
        return Negated(Existing(children[0], origin=place), origin=place)

    @v_args(meta=True)
    def aggregate(self, meta: Meta, children: list[object]) -> Expression:
        function, *middle, argument = children
        variable = argument.name if isinstance(argument, Variable) else None
        return AggregateCall(str(function).lower(), variable, bool(middle), origin=origin_of(meta, self.file))

    # -- help --------------------------------------------------------------------------------------

    def _iri(self, token: Token, address: str) -> Constant:
        try:
            return Constant(iri(address))
        except ValueError as error:
            message = f"`{address}` is not an IRI: {error}."
            raise self.rejected(token, SYNTAX, message, "Write it in full, or declare a BASE.") from None

    def resolved(self, token: Token) -> str:
        """The address of an IRI as written."""
        written = str(token[1:-1])
        if not self.base_iri:
            return written
        joined = urljoin(self.base_iri, written)
        # An empty fragment gets lost in joining, but is what a prefix often ends in.
        return joined + "#" if written.endswith("#") and not joined.endswith("#") else joined

    def rejected(self, token: Token, code: str, message: str, hint: str) -> Rejected:
        """What is wrong at this word."""
        return Rejected([Diagnostic(code, message, hint, origin_of(token, self.file))])


def expression(child: object) -> Expression:
    if isinstance(child, Variable | Constant):
        return PlainTerm(child, origin=child.origin)
    assert isinstance(child, Placed)
    return cast(Expression, child)


def address(term: object) -> str:
    assert isinstance(term, Constant)
    return str(term.value)
