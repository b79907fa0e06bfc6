"""Random programs whose rules can mostly be split by a key, in several stages."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from larspark.language.facts import Fact
from larspark.language.values import Value

VALUES: tuple[Value, ...] = ("x", "y", 1, 2, 3, "two words")
BACKGROUND: tuple[Value, ...] = ("x", 1, 2, "z", 5)
WINDOWS = ("[2]", "[5]", "[1, +1]", "[4 hop 2]", "[all]", "[0]")
INPUT = {"e": 1, "f": 2, "g": 2}
DERIVED = {"p": 1, "q": 1, "r": 2, "s": 2, "t": 1, "u": 2}


def random_arrivals(random: Random) -> list[tuple[int, Fact]]:
    times = sorted(random.randint(1, 11) for _ in range(random.randint(1, 25)))
    names = [random.choice([*INPUT, "strange"]) for _ in times]
    return [
        (time, Fact(name, tuple(random.choice(VALUES) for _ in range(INPUT.get(name, 1)))))
        for time, name in zip(times, names, strict=True)
    ]


def random_rules(random: Random) -> Iterator[str]:
    """One or two rules per derived predicate; a rule reads input and predicates before its own."""
    known = dict(INPUT)
    for name, arity in DERIVED.items():
        recursive = {name: arity} if random.random() < 0.2 else {}
        for _ in range(random.randint(1, 2)):
            yield _rule(random, name, arity, known, recursive)
        known[name] = arity
    if random.random() < 0.3:
        yield f":- {_atom(random, 'e', 1, 'X')} [1], {_literal(random, known, 'X', True)}."


def _rule(random: Random, name: str, arity: int, known: dict[str, int], recursive: dict[str, int]) -> str:
    first = random.choice([n for n in known if known[n] == 2] if arity == 2 else list(known))
    at = random.random() < 0.3
    binder = _atom(random, first, known[first], "X", "Y" if arity == 2 else "_")
    body = [f"@T {binder} {random.choice(WINDOWS[:3])}" if at else f"{binder} {random.choice(WINDOWS)}"]
    if random.random() < 0.25 and arity == 1:
        body = ["bg(X)"]
        at = False
    for _ in range(random.randint(0, 2)):
        body.append(_literal(random, known, random.choice(["X", "X", "X", "Y" if arity == 2 else "X"]), False))
    if recursive and random.random() < 0.8:
        body.append(_atom(random, name, arity, "X", "Y" if arity == 2 else "_") + " [1]")
    if body == ["bg(X)"]:
        body.append("not e(X) [3]")
    head = _atom(random, name, arity, "X", "Y") if random.random() < 0.7 or arity == 1 else f"{name}(Y, X)"
    return f"{f'@(T + {random.randint(0, 2)}) ' if at and random.random() < 0.5 else ''}{head} :- {', '.join(body)}."


def _literal(random: Random, known: dict[str, int], key: str, positive: bool) -> str:
    kind = random.choice(["some", "always", "not", "not", "count", "per", "bare", "background"])
    name = random.choice(list(known))
    atom = _atom(random, name, known[name], key)
    window = random.choice(WINDOWS)
    if positive or kind == "some":
        return f"{atom} {window}"
    match kind:
        case "always":
            return f"always {atom} {random.choice(WINDOWS[:4])}"
        case "not":
            return f"not {atom} {window}"
        case "count":
            inner = atom.replace("_", "I")
            element = f"I : {inner} {window}" if "I" in inner else f"1 : {inner} {window}"
            return f"#count{{ {element} }} >= {random.randint(0, 2)}"
        case "per":
            source = random.choice(list(INPUT))
            place = _atom(random, source, INPUT[source], key)
            return f"{'not ' if random.random() < 0.4 else ''}{place} [{random.randint(1, 2)} # per {key}]"
        case "background":
            return f"{'not ' if random.random() < 0.4 else ''}bg({key})"
    return atom


def _atom(random: Random, name: str, arity: int, key: str, other: str = "_") -> str:
    if arity == 1:
        return f"{name}({key})"
    return f"{name}({key}, {other})" if random.random() < 0.7 else f"{name}({other}, {key})"
