"""clingo on the literal encoding, from scratch at every evaluation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import clingo

from larspark.bench.peers.literal_encoding import LiteralEncoding
from larspark.bench.workloads.task import Atoms, Task
from larspark.language.facts import Fact


class OneShot:
    """Grounds and solves the text of one time point after the other; making the text is not measured."""

    name = "literal"

    def __init__(self, task: Task, places: Sequence[int]) -> None:
        self._task, self._places = task, places
        self._encoding = LiteralEncoding(task.analysis, task.background, task.start)
        self.evaluations = len(places)

    def text(self, place: int) -> str:
        return self._encoding.text(self._task.steps[: place + 1])

    def prepare(self) -> Callable[[], object]:
        texts = list(map(self.text, self._places))

        def run() -> None:
            for text in texts:
                _model(_ground(text))

        return run

    def answers(self, places: Iterable[int]) -> dict[int, Atoms]:
        return {place: _atoms(_model(_ground(self.text(place)))) for place in places}

    def accepts(self, place: int, answer: Atoms) -> bool:
        """Is this one of the answer sets?"""
        control = _ground(self.text(place))
        shown = {name for name, *_ in self._task.analysis.intensional}
        known = {
            atom: symbolic.literal
            for symbolic in control.symbolic_atoms
            if symbolic.symbol.name.removeprefix("at_") in shown
            for atom in _atoms([symbolic.symbol])
        }
        if not answer <= known.keys():
            return False
        assumed = [literal if atom in answer else -literal for atom, literal in known.items()]
        return bool(control.solve(assumptions=assumed).satisfiable)


def _ground(text: str) -> clingo.Control:
    control = clingo.Control(logger=lambda *_: None)
    control.add("base", [], text)
    control.ground([("base", [])])
    return control


def _model(control: clingo.Control) -> Sequence[clingo.Symbol]:
    with control.solve(yield_=True) as handle:
        model = handle.model()
        if model is None:
            raise RuntimeError("the literal encoding has no answer set")
        symbols: Sequence[clingo.Symbol] = model.symbols(shown=True)
        return symbols


def _atoms(symbols: Iterable[clingo.Symbol]) -> Atoms:
    found = []
    for symbol in symbols:
        *args, time = (argument.number for argument in symbol.arguments)
        found.append((time, Fact(symbol.name.removeprefix("at_"), tuple(args))))
    return frozenset(found)
