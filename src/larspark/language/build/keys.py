"""From the grammar's parse tree to the keys of windows: the predicates that are counted, and what tells them apart."""

from __future__ import annotations

from typing import NamedTuple

from lark import Token

from larspark.language.build.terms import ParseTree, TermBuilder, trees
from larspark.language.facts import Signature
from larspark.language.traversal import atoms
from larspark.language.tree import Atom, Formula, Keyed, Variable


class _NamedPredicate(NamedTuple):
    """A predicate behind `of`, with the places of the variables that stand in it."""

    signature: Signature
    places: dict[str, int]
    at: ParseTree


class KeyBuilder(TermBuilder):
    """Builds the predicates of windows per key."""

    def keyed(
        self, per: ParseTree | None, of: ParseTree | None, body: Formula, place: ParseTree, example: str
    ) -> tuple[Keyed, ...] | None:
        """The keys are arguments of the predicates named by `of`, or else of the one atom the window follows.

        The example is such a window that names its predicate.
        """
        found = list(dict.fromkeys(atoms(body)))
        if of is not None:
            counted = self._counted(of)
            if counted is None:
                return None
            named = {one.signature for one in counted}
            found = [atom for atom in found if atom.signature in named]
        elif len({atom.signature for atom in found}) == 1:
            counted = [_NamedPredicate(found[0].signature, {}, place)]
        else:
            message = f"It is not clear which predicate {'`per` speaks of' if per else 'the session is of'}."
            self.problem("E108", message, f"Name the predicate, as in `{example}`.", place)
            return None
        tokens = [token for token in (per.children if per else ()) if isinstance(token, Token)]
        columns = [self._places(token, counted, found) for token in tokens]
        keys = dict.fromkeys(column for column in columns if column is not None)
        found_keys = tuple(
            Keyed(one.signature, tuple(column[number] for column in keys), origin=self.origin(one.at))
            for number, one in enumerate(counted)
        )
        for one in found_keys:
            if len(set(one.keys)) < len(one.keys):
                message = f"Two keys are the same argument of `{one.signature}`."
                self.problem("E108", message, "Let every key be an argument of its own.", place)
                return None
        return found_keys

    def key(self, token: Token, signature: Signature, found: list[Atom]) -> int | None:
        """The place of one key in the predicate of the one atom that is found."""
        if token.type == "INT":
            return self._position(token, signature)
        places = [i for atom in found for i, arg in enumerate(atom.args) if arg == Variable(str(token))]
        if places and len(found) == 1:
            return places[0]
        message = f"`{token}` is not an argument of the one atom that `per` speaks of."
        self.problem("E108", message, "Name one of its arguments, or give the position: `per 1`.", token)
        return None

    def _counted(self, of: ParseTree) -> list[_NamedPredicate] | None:
        counted = [self._predicate(tree) for tree in trees(of)]
        for number, one in enumerate(counted):
            if one is not None and one.signature in [other.signature for other in counted[:number] if other]:
                message, hint = f"`{one.signature}` stands twice behind `of`.", "Name each predicate once."
                self.problem("E108", message, hint, one.at)
                return None
        return None if None in counted else [one for one in counted if one is not None]

    def _predicate(self, tree: ParseTree) -> _NamedPredicate | None:
        """`on/2`, or `on(D,_)` with names for the arguments that are keys."""
        first = tree.children[0]
        if not isinstance(first, Token):
            return _NamedPredicate(self.signature(first), {}, tree)
        places: dict[str, int] = {}
        for place, child in enumerate(tree.children[1:]):
            if not isinstance(child, Token):
                message = "A window per key counts all arrivals of its predicates."
                hint = "Put a filter before it: `[of tram(a,_)] [1 # of tram/2 per 1]`."
                self.problem("E108", message, hint, tree)
                return None
            if child.type == "VARIABLE":
                places.setdefault(str(child), place)
        return _NamedPredicate(Signature(self.symbol(first), len(tree.children) - 1), places, tree)

    def _places(self, token: Token, counted: list[_NamedPredicate], found: list[Atom]) -> tuple[int, ...] | None:
        """Where a key stands in each of the predicates."""
        if token.type == "INT":
            places = [self._position(token, one.signature) for one in counted]
        elif any(one.places for one in counted):
            places = [self._named(token, one) for one in counted]
        else:
            place = self.key(token, counted[0].signature, found)
            places = [place for _ in counted]
            missing = [one for one in counted if place is not None and place >= one.signature.arity]
            if missing:
                message = f"`{missing[0].signature}` has no argument {(place or 0) + 1}, which is `{token}` here."
                hint = "Say where it stands in each: `[1 # of on(D), off(_,D) per D]`."
                self.problem("E108", message, hint, token)
                return None
        return None if None in places else tuple(place for place in places if place is not None)

    def _position(self, token: Token, signature: Signature) -> int | None:
        position = self.integer(token)
        if 1 <= position <= signature.arity:
            return position - 1
        last = f"Positions count from 1; the last one is {signature.arity}."
        hint = last if signature.arity else "Write `per` alone; a session has no `per` then."
        self.problem("E108", f"`{signature}` has no argument {position}.", hint, token)
        return None

    def _named(self, token: Token, counted: _NamedPredicate) -> int | None:
        if str(token) in counted.places:
            return counted.places[str(token)]
        message = f"`{token}` is not an argument of `{counted.signature}` behind `of`."
        self.problem("E108", message, "Say where it stands in each: `[1 # of on(D), off(_,D) per D]`.", token)
        return None
