"""The vectors of the answer-update papers, with the corrected labels."""

from __future__ import annotations

from typing import Any

import pytest

from larspark.analysis.pipeline import analyse
from larspark.diagnostics import Rejected
from larspark.intervals.sets import FOREVER
from larspark.language.extended_atoms import extended_atom
from larspark.language.facts import Fact
from larspark.language.tree import Constant, Duration, Program, Rule, TimeWindow
from larspark.language.windows.selection import Arrival
from larspark.reasoners.answer_update import AnswerUpdateReasoner
from larspark.reasoners.answer_update.labels import Label, Status
from larspark.reasoners.answer_update.network import LabelNetwork
from larspark.reasoners.answer_update.nodes import LabelledAtom, LiteralView, PlainAtom, SeenAtom
from larspark.reasoners.answer_update.nodes import extended as without_view
from larspark.reasoners.answer_update.validity import validity
from larspark.reasoners.answer_update.windows import select
from larspark.reasoners.pinned import Pinned
from support.vectors import Case, cases, fact, facts_by_time, formula, program, stream, window

FILE = "papers/answer_update"

RECURSIVE = ("laser-idb-recursion-window",)
"""Not window-stratified."""

OUTPUT = cases("output_stream", FILE) + cases("output_stream", "papers/laser", without=RECURSIVE)

RUNNING: Program = next(case.program for case in cases("program", FILE))


def spell(atom: LabelledAtom) -> str:
    """As the vectors write extended atoms: `[30] @372 bus`, `[+50] some expBusM`, `@402 expBusM`."""
    match without_view(atom) if isinstance(atom, SeenAtom) else atom:
        case PlainAtom(fact):
            return str(fact)
        case Pinned(time, fact):
            return f"@{time} {fact}"
        case SeenAtom(view, time, fact):
            (window,) = view.windows
            assert isinstance(window, TimeWindow)
            size = f"[+{window.future}]" if window.future else f"[{window.past}]"
            return f"{size} {view.quantifier if time is None else f'@{time}'} {fact}"


def run(rules: Program, case: Case, until: int) -> AnswerUpdateReasoner:
    """Evaluated at every time point with data, and at last at `until`."""
    start = case.stream.start
    reasoner = AnswerUpdateReasoner(analyse(rules), case.background, start)
    by_time: dict[int, list[Fact]] = {}
    for time, atom in case.stream.arrivals():
        if time <= until:
            by_time.setdefault(time, []).append(atom)
    for time in sorted({*by_time, until}):
        reasoner.advance(time, by_time.get(time, []))
    return reasoner


def answers(reasoner: AnswerUpdateReasoner) -> list[dict[int, frozenset[Fact]]]:
    answer = reasoner.answer(None)
    return [{**({answer.time: found.now} if found.now else {}), **found.at} for found in answer.answer_streams]


def extended(data: Any) -> LabelledAtom:
    read = extended_atom(formula(data))
    assert read is not None
    ground = fact(read.atom.predicate)
    time = read.time.value if isinstance(read.time, Constant) else None
    assert time is None or isinstance(time, int)
    if read.windows:
        return SeenAtom(LiteralView(read.windows, read.quantifier, ground.signature), time, ground)
    return PlainAtom(ground) if time is None else Pinned(time, ground)


def same_answers(found: list[dict[int, frozenset[Fact]]], expected: list[Any]) -> bool:
    wanted = [facts_by_time(answer) for answer in expected]
    return len(found) == len(wanted) and all(answer in found for answer in wanted)


@pytest.mark.parametrize("case", cases("answer_stream", FILE) + cases("answer_stream", "papers/laser"), ids=str)
def test_answer_stream(case: Case) -> None:
    expected = case["expect"]
    found = answers(run(case.program, case, case["t"]))
    assert same_answers(found, expected.get("answer_streams", expected.get("open_timeline")))


@pytest.mark.parametrize("case", cases("output_stream", "papers/laser"), ids=str)
def test_recursion_through_windows_is_refused(case: Case) -> None:
    analysis = analyse(case.program)
    assert (analysis.window_graph.levels is None) is (case.id in RECURSIVE)
    if case.id in RECURSIVE:
        with pytest.raises(Rejected, match="Recursion runs through a window"):
            AnswerUpdateReasoner(analysis)


@pytest.mark.parametrize("case", OUTPUT, ids=str)
def test_output_stream(case: Case) -> None:
    source = case.stream
    reasoner = AnswerUpdateReasoner(analyse(case.program), case.background, source.start)
    assert source.end is not None
    output = {}
    for time in range(source.start, source.end + 1):
        reasoner.advance(time, [atom for at, atom in source.arrivals() if at == time])
        (answer,) = reasoner.answer(None).answer_streams
        output[time] = answer.now
    assert {time: facts for time, facts in output.items() if facts} == facts_by_time(case["expect"]["output"])


@pytest.mark.parametrize("case", cases("label", FILE), ids=str)
def test_label(case: Case) -> None:
    reasoner = run(RUNNING, case, case["t"])
    expected = case["expect"]
    intervals = tuple(map(tuple, expected["intervals"]))
    assert reasoner.label(extended(case["atom"])) == (expected["status"], intervals)


@pytest.mark.parametrize("case", cases("holds_interval", FILE), ids=str)
def test_holds_interval(case: Case) -> None:
    """Labels tell the first and last evaluation time, and evaluating there agrees."""
    literals = case["ast"] if "ast" in case.data else {"formula": case["formula"]}
    start, end = case.stream.start, case.stream.end
    for name, data in literals.items():
        literal = formula(data)
        rules = Program((Rule(formula("derived"), (literal,)),))
        if "formulas" in case.data:
            first, last = case["formulas"][name]
            expected = {first: True, last: True, first - 1: False, last + 1: False}
        else:
            expected = case["expect"]
        for time, holds in expected.items():
            # `@t a` holds on the whole timeline of a given stream, but a reasoner knows the data up to now only.
            if start <= time <= (end or FOREVER) and not (name == "at" and time == start):
                assert (answers(run(rules, case, time)) != [{}]) is holds, (name, time)


@pytest.mark.parametrize("case", cases("window", FILE), ids=str)
def test_window(case: Case) -> None:
    source = case.stream
    arrivals = [Arrival(at, number, atom) for number, (at, atom) in enumerate(source.arrivals())]
    for time, expected in case["expect"].items():
        found = select([window(case["window"])], arrivals, source.start, time)
        wanted = stream(expected)
        assert (found.first, found.last) == wanted.timeline
        assert [(at, atom) for at, _, atom in found.arrivals] == list(wanted.arrivals())


@pytest.mark.parametrize("case", cases("arithmetic", FILE), ids=str)
def test_arithmetic(case: Case) -> None:
    unit = Duration(100, "ms")
    for text, points in case["expect"].items():
        assert round(float(text.removesuffix("m")) * 60_000) == points * unit.milliseconds


@pytest.mark.parametrize("case", cases("tms_table", FILE), ids=str)
def test_rule_status_table(case: Case) -> None:
    for row in case["expect"]:
        assert validity([Status(row["p"])], [Status(row["n"])]) == row["status"]


# -- single steps ----------------------------------------------------------------------------------


def case_named(name: str) -> Case:
    return next(
        case
        for kind in ("tms_step", "property", "tms_sets", "tms_trace")
        for case in cases(kind, FILE)
        if case.id == name
    )


def statuses(reasoner: AnswerUpdateReasoner, names: Any) -> dict[str, str]:
    return {name: reasoner.label(PlainAtom(fact(name))).status for name in names}


def test_choice_is_made_among_the_unfounded_valid_rules() -> None:
    case = case_named("au-ex11-choice")
    reasoner = run(RUNNING, case, case["t"])
    choices = {instance.rule for state in reasoner.states for instance in state.trace.choices}
    assert [f"r{number + 1}" for number in sorted(choices)] == case["expect"]["ufVal"]
    assert statuses(reasoner, ["takeBusM", "takeTrM"]) in case["expect"]["accept_any_of"]


def test_a_jam_flips_the_choice() -> None:
    case = case_named("au-ex11-flip")
    assert statuses(run(RUNNING, case, case["t"]), case["expect"]) == case["expect"]


def test_everything_is_out_before_the_first_evaluation() -> None:
    initial = case_named("au-init")["expect"]["initial"]
    reasoner = AnswerUpdateReasoner(analyse(RUNNING))
    for name in ("on", "takeBusM", "expTrM"):
        assert reasoner.label(PlainAtom(fact(name))) == (initial["status"], tuple(map(tuple, initial["intervals"])))


def test_ordinary_atom_reached_only_through_at_heads_is_out() -> None:
    expected = case_named("au-setopen")["expect"]["expTrM"]
    case = case_named("au-ex11-choice")
    reasoner = run(RUNNING, case, case["t"])
    assert expected == {"status": "out", "intervals": [["t", "t"]]}
    assert reasoner.label(PlainAtom(fact("expTrM"))) == Label(Status.OUT, ((case["t"], case["t"]),))
    assert reasoner.reference_times(fact("expTrM")) == (441,)


def test_labels_are_evaluation_times_and_answers_reference_times() -> None:
    case = case_named("au-prop2-reading")
    reasoner = run(RUNNING, case, case["t"])
    times = reasoner.reference_times(fact("on"))
    assert {"on_at_397": 397 in times, "on_at_405": 405 in times} == case["expect"]


def test_tuple_windows_count_input_only() -> None:
    case = case_named("au-prop1-tuple-caveat")
    assert same_answers(answers(run(case.program, case, case["t"])), case["expect"]["counting_extensional"])


def test_windows_over_atoms_derived_now_test_the_present() -> None:
    assert case_named("au-headfree")["expect"] == "windows over derived atoms act as the current-time test"
    rules = program(
        [{"head": "b", "body": ["a"]}, {"head": "c", "body": [["window", {"kind": "time", "past": 5}, ["some", "b"]]]}]
    )
    reasoner = AnswerUpdateReasoner(analyse(rules))
    reasoner.advance(3, [fact("a")])
    assert reasoner.answer().answer_streams[0].now == {fact("b"), fact("c")}
    reasoner.advance(4)
    assert reasoner.answer().answer_streams[0].now == frozenset()


# -- networks --------------------------------------------------------------------------------------


def network(case: Case, until: int, *arrivals: tuple[int, str]) -> LabelNetwork:
    """The ground rules of the program with `on` and the window atom made true by input."""
    reasoner = AnswerUpdateReasoner(analyse(case.program))
    for time, atom in arrivals:
        reasoner.advance(time, [fact(atom)])
    reasoner.advance(until, [fact("on")])
    (state,) = reasoner.states
    return LabelNetwork(state.instances, state.status)


@pytest.mark.parametrize(
    ("name", "arrival", "until"),
    [("au-ex10-cons", (391, "tramB"), 397), ("toth-ex7-cons", (372, "bus"), 372)],
)
def test_consequences_and_support(name: str, arrival: tuple[int, str], until: int) -> None:
    case = case_named(name)
    found = network(case, until, arrival)
    atoms: dict[str, LabelledAtom] = {spell(atom): atom for instance in found.instances for atom in instance.seen}
    atoms |= {spell(node): node for node in found.status}
    atoms |= {f"@{arrival[0]} {arrival[1]}": Pinned(arrival[0], fact(arrival[1])), "on": PlainAtom(fact("on"))}
    atoms |= {str(node.fact): PlainAtom(node.fact) for node in found.status}
    methods = {
        "cons_h": found.head_consequences,
        "cons_w": found.window_consequences,
        "cons_at": found.at_consequences,
        "cons_star": lambda atom: found.all_consequences([atom]),
        "supp_plus": found.positive_support,
        "supp_at": found.at_support,
        "acons": found.affected,
    }
    for question, expected in case["expect"].items():
        if question == "fVal":
            assert [found.validity(instance) == "fVal" for instance in found.instances] == [expected]
        else:
            method, argument = question.removesuffix(")").split("(", 1)
            assert sorted(map(spell, methods[method](atoms[argument]))) == sorted(expected), question


def test_new_input_affects_diamond_windows() -> None:
    case = case_named("au-acons-diamond-gap")
    reasoner = AnswerUpdateReasoner(analyse(case.program))
    reasoner.advance(case["t"] - 1)
    reasoner.advance(case["t"], [fact(atom) for atom in case["atoms"]])
    (state,) = reasoner.states
    reached = LabelNetwork(state.instances, state.status).all_consequences([Pinned(case["t"], fact("request"))])
    assert set(case["expect"]["needed"]) <= set(map(spell, reached))
    assert set(map(spell, state.trace.fired)) == {"[10] some request"}
    assert set(map(spell, state.trace.unknown)) == {"on"}


def test_trace_of_the_prototype_corrected() -> None:
    case, definition = (
        case_named("toth-trace-steps"),
        next(c for c in cases("answer_stream", FILE) if c.id == "toth-trace-372-definition"),
    )
    corrected = case["corrected"]
    reasoner = run(definition.program, definition, 372)

    def labels(names: Any) -> dict[str, list[int]]:
        found = {spell(node): list(state.intervals[node][0]) for state in reasoner.states for node in state.intervals}
        for state in reasoner.states:
            found |= {spell(seen): list(rows.labels[seen][0]) for rows in state.reads.values() for seen in rows.labels}
        return {name: found[name] for name in names}

    assert labels(corrected["FireInput"]) == corrected["FireInput"]
    assert labels(corrected["SetRule"]) == corrected["SetRule"]
    assert list(reasoner.reference_times(fact("expBusM"))) == corrected["expBusM"]["reference_times"]
    stratum2 = corrected["stratum2"]
    assert labels(["[+50] some expBusM"])["[+50] some expBusM"] == stratum2["[+50] some expBusM"]
    assert statuses(reasoner, ["takeTrM", "takeBusM"]) == {name: stratum2[name] for name in ("takeTrM", "takeBusM")}
    assert all(not state.trace.expired for state in reasoner.states) is (case["expect"]["Expired"] == [])
    reasoner.advance(380)
    assert labels(corrected["t380"]) == corrected["t380"]
