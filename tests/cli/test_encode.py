from __future__ import annotations

import clingo

PROGRAM = """
late(X) :- bus(X) [3], not always ok(X) [1].
@(T+2) due(X) :- @T bus(X) [3].
:- closed [2].
"""
STREAM = """{"time": 4, "atom": "bus(b1)"}
{"time": 5, "atom": "ok(b1)"}
{"time": 6, "atom": "ok(b1)"}
{"time": 9, "atom": "closed"}
"""


def solved(program: str) -> list[set[str]]:
    """With nothing but clingo and the one function the program calls."""

    class Functions:
        def pin(self, time: clingo.Symbol) -> clingo.Symbol:
            return time

    control = clingo.Control(["0"], logger=lambda *_: None)
    control.add("base", [], program)
    control.ground([("base", [])], context=Functions())
    with control.solve(yield_=True) as handle:
        return [{str(atom) for atom in model.symbols(shown=True)} for model in handle]


def test_the_printed_program_is_complete(larspark, write):
    program, stream = write("p.lars", PROGRAM), write("s.jsonl", STREAM)

    def at(time: int) -> list[set[str]]:
        return solved(larspark("encode", program, "--stream", stream, "--at", time).out)

    assert at(4) == [{"late(b1,4)", "due(b1,6)"}]
    assert at(6) == [{"due(b1,6)"}]
    assert at(7) == [{"late(b1,7)", "due(b1,6)"}]
    assert at(9) == []


def test_as_json(larspark, write):
    program, stream = write("p.lars", "b :- a [1]."), write("s.jsonl", '{"time": 4, "atom": "a"}')
    (printed,) = larspark("encode", program, "--stream", stream, "--format", "json").json
    assert printed["time"] == 4
    assert "b(now) :- _w1." in printed["program"]


def test_full_formulas_are_lowered(larspark, write):
    program = write("p.lars", "b :- (some (a and c)) [1].")
    stream = write("s.jsonl", '{"time": 4, "atom": "a"}\n{"time": 4, "atom": "c"}')
    assert solved(larspark("encode", program, "--stream", stream, "--at", 5).out) == [{"b(5)"}]
    assert solved(larspark("encode", program, "--stream", stream, "--at", 6).out) == [set()]


def test_formulas_that_are_not_lowered_are_refused(larspark, write):
    program, stream = write("p.lars", "b :- (some (a [2 #])) [3]."), write("s.jsonl", "")
    outcome = larspark("encode", program, "--stream", stream)
    assert outcome.status == 1
    assert "E511" in outcome.err


def test_increments(larspark, write):
    program, stream = write("p.lars", "b(X) :- a(X) [2]."), write("s.jsonl", '{"time": 4, "atom": "a(x)"}')
    lines = larspark(
        "encode", program, "--stream", stream, "--timeline", 1, 9, "--at", 4, "--increment"
    ).out.splitlines()
    assert "- w0(X) :- a_at(X,1)." in lines
    assert "+ w0(X) :- a_at(X,4).  % until (7,inf)" in lines
    assert lines.index("% tick (4,1): a(x)") > lines.index("% tick (4,0)")
    assert "+ a_at(x,4).  % until (inf,inf)" in lines
