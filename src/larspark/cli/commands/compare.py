"""Do two ground programs mean the same? If not, show what tells them apart.

  ordinary   the same answer streams for the stream S at T
  strong     also together with any other program: one may replace the other inside a larger program
  uniform    also together with any facts `@t a`; with --over, only those made of the named atoms
  data       also for any input added to S

The programs are compared at T on a closed timeline, by default from the start of S to T or as far ahead as the
programs look. Contexts are made of the atoms that the programs mention. What is found is checked against the
definition of answer streams before it is shown.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from typing import Any

from larspark.cli.display.answers import in_order, stream_as_json, stream_as_text
from larspark.cli.options.arguments import (
    add_meaning_arguments,
    add_stream_arguments,
    load_recording,
    loaded_program,
    prepared_of,
    read_time,
)
from larspark.diagnostics import Diagnostic, Rejected
from larspark.equivalence.notions import Limits, Notion, Verdict, compare
from larspark.equivalence.question import EquivalenceQuestion, signals
from larspark.equivalence.setting import Setting, last_reached, require_ground
from larspark.equivalence.witness import Answers, Witness
from larspark.language.facts import Fact, fact_order
from larspark.language.parser import parse_formula
from larspark.language.printing.printer import show
from larspark.language.tree import At, Atom, Constant
from larspark.reasoners.protocol import AnswerStream
from larspark.reasoners.results import stream_of
from larspark.runtime.prepared import Prepared
from larspark.semantics.interpretations import Atoms
from larspark.semantics.streams import Stream
from larspark.semantics.structures import Environment

EXAMPLE = """\
  larspark compare old.lars new.lars --notion data --stream events.jsonl --at 42
  larspark compare p.lars q.lars --notion uniform --over a --over '@3 b' --stream s.jsonl --at 5 --format json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("first", metavar="P", help="a program file")
    parser.add_argument("second", metavar="Q", help="another one")
    parser.add_argument("--notion", choices=[str(notion) for notion in Notion], default="ordinary", help="see above")
    parser.add_argument("--at", type=read_time, required=True, metavar="T", help="the evaluation time")
    parser.add_argument(
        "--over", action="append", metavar="ATOM", help="contexts may have this atom (`a` everywhere, `@3 a` at 3)"
    )
    parser.add_argument(
        "--shown", action="store_true", help="compare only the predicates that both programs #show (not for strong)"
    )
    parser.add_argument(
        "--limit", type=int, default=Limits().contexts, metavar="N", help="contexts to try one by one at most"
    )
    add_meaning_arguments(parser)
    add_stream_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    first, second = (
        prepared_of(arguments, loaded_program(path, arguments)) for path in (arguments.first, arguments.second)
    )
    programs = first.program, second.program
    require_ground(*programs)
    setting = _setting(arguments, first, second)
    notion = Notion(arguments.notion)
    over = None if arguments.over is None else _atoms(arguments.over, setting)
    if notion is Notion.DATA:
        # at T nothing has arrived later
        chosen = setting.everywhere(signals(*programs, setting)) if over is None else over
        over = frozenset(timed for timed in chosen if timed[0] <= setting.at)
    if arguments.shown and notion is Notion.STRONG:
        raise Rejected([_shown_and_strong()])
    shown = first.analysis.shown & second.analysis.shown if arguments.shown else None
    verdict = compare(*programs, setting, notion, over=over, shown=shown, limits=Limits(contexts=arguments.limit))
    print(json.dumps(_as_json(verdict), ensure_ascii=False) if arguments.format == "json" else _as_text(verdict))
    return 0


def _setting(arguments: argparse.Namespace, first: Prepared, second: Prepared) -> Setting:
    """The data up to T, on a closed timeline."""
    recording = load_recording(arguments, first)
    objections = (second.admission.objection(fact) for fact in dict.fromkeys(fact for _, fact in recording.arrivals))
    if found := [objection for objection in objections if objection]:
        raise Rejected(found)
    programs = [first.program, second.program]
    start = recording.start if arguments.timeline else min(recording.start, arguments.at)
    end = recording.end if arguments.timeline else last_reached(arguments.at, programs)
    if not start <= arguments.at <= end:
        message = f"Time point {arguments.at} lies outside the timeline from {start} to {end}."
        raise Rejected([Diagnostic("E411", message, "Give a --timeline that contains the evaluation time.")])
    arrivals = (arrival for arrival in recording.arrivals if arrival[0] <= arguments.at)
    environment = Environment(functions={**first.functions, **second.functions}, calendar=first.calendar)
    background = frozenset(first.background) | frozenset(second.background)
    return Setting(Stream.of(start, end, arrivals), arguments.at, background, environment)


def _atoms(texts: Iterable[str], setting: Setting) -> Atoms:
    """`a` at every time point, `@3 a` at one."""
    found: set[tuple[int, Fact]] = set()
    for text in texts:
        match parse_formula(text, "<atom>"):
            case Atom() as atom:
                found |= setting.everywhere([_fact(atom, text)])
            case At(Constant(int(time)), Atom() as atom) if time in setting.times:
                found |= {timed for timed in setting.everywhere([_fact(atom, text)]) if timed[0] == time}
            case _:
                raise Rejected([_not_an_atom(text)])
    return frozenset(found)


def _fact(atom: Atom, text: str) -> Fact:
    values = [arg.value for arg in atom.args if isinstance(arg, Constant)]
    if len(values) != len(atom.args):
        raise Rejected([_not_an_atom(text)])
    return Fact(atom.predicate, tuple(values))


def _not_an_atom(text: str) -> Diagnostic:
    message = f"`{text}` is not a ground atom, nor one at a time point of the timeline."
    return Diagnostic("E535", message, "Write `--over 'a(1)'` or `--over '@3 a(1)'`.")


def _shown_and_strong() -> Diagnostic:
    return Diagnostic(
        "E536",
        "Strong equivalence cannot be restricted to what is shown: a context may read every atom.",
        "Use `--notion data --shown` to compare whole programs by their output.",
    )


# -- printing --------------------------------------------------------------------------------------


def _as_json(verdict: Verdict) -> dict[str, Any]:
    question = verdict.question
    result: dict[str, Any] = {"equivalent": verdict.equivalent, "notion": str(question.notion)}
    if verdict.witness:
        result["witness"] = _witness_as_json(verdict.witness, question.notion)
    timeline = [question.setting.data.start, question.setting.data.end]
    return result | {
        "bound": {
            "timeline": timeline,
            "at": question.setting.at,
            "atoms": _contexts(question),
            "method": str(verdict.method),
        }
    }


def _contexts(question: EquivalenceQuestion) -> list[str]:
    """The atoms contexts are made of: `a` if it may stand at every time point, otherwise `@3 a`."""
    last = question.setting.at if question.notion is Notion.DATA else question.setting.times[-1]
    listed: list[str] = []
    for fact in sorted({fact for _, fact in question.over}, key=fact_order):
        times = sorted(time for time, one in question.over if one == fact)
        everywhere = {time for time, _ in question.setting.everywhere([fact]) if time <= last} <= set(times)
        listed += [str(fact)] if everywhere else [f"@{time} {fact}" for time in times]
    return listed


def _witness_as_json(witness: Witness, notion: Notion) -> dict[str, Any]:
    at = witness.setting.at
    found: dict[str, Any] = {}
    if notion is Notion.DATA:
        found["stream"] = [{"time": time, "atom": str(fact)} for time, fact in witness.added]
    elif notion is not Notion.ORDINARY:
        found["facts" if notion is Notion.UNIFORM else "context"] = [show(rule) for rule in witness.context]
    if witness.first is not None and witness.second is not None:
        sides = {"P": witness.first, "Q": witness.second}
        found["answers"] = {name: [stream_as_json(one) for one in _streams(at, s)] for name, s in sides.items()}
    example = stream_as_json(stream_of(at, witness.example))
    return found | {
        "only": {"P" if witness.of_first else "Q": example},
        "confirmed": witness.confirmed,
    }


def _streams(at: int, answers: Answers) -> list[AnswerStream]:
    return in_order(stream_of(at, atoms) for atoms in answers)


def _as_text(verdict: Verdict) -> str:
    question, witness = verdict.question, verdict.witness
    data = question.setting.data
    adverb = {"ordinary": "", "strong": "strongly ", "uniform": "uniformly ", "data": "data "}[question.notion]
    bound = f"at {question.setting.at}, on the time points {data.start} to {data.end}"
    atoms = ", ".join(_contexts(question))
    bound += f", for contexts over {atoms}" if atoms else ""
    if witness is None:
        return f"{adverb}equivalent {bound}"
    lines = [f"not {adverb}equivalent {bound}"]
    if witness.context:
        lines += ["together with", *(f"  {show(rule)}" for rule in witness.context)]
    if witness.added:
        lines += ["with the input", *(f"  {time}: {fact}" for time, fact in witness.added)]
    for name, answers in (("P", witness.first), ("Q", witness.second)):
        if answers is not None:
            streams = [f"  {stream_as_text(one)}" for one in _streams(witness.setting.at, answers)]
            lines += [f"{name} has the answer streams", *streams] if streams else [f"{name} has no answer stream"]
    if not witness.confirmed:
        example = stream_as_text(stream_of(witness.setting.at, witness.example))
        lines.append(f"only {'P' if witness.of_first else 'Q'} has the answer stream")
        lines += [f"  {example}", "(found by the solver; too large to be checked against the definition)"]
    return "\n".join(lines)
