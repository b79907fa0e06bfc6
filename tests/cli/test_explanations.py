"""The commands about explanations, on a small recording."""

from __future__ import annotations

import json

import pytest

PROGRAM = """\
#input hot(machine).
alarm(M) :- always hot(M) [2], not technician(_) [3].
siren :- alarm(_) [1].
"""
HOT = [
    (1, "technician(ann)"),
    (3, "hot(press)"),
    (4, "hot(press)"),
    (5, "hot(press)"),
    (6, "hot(press)"),
    (8, "hot(saw)"),
]


@pytest.fixture
def files(write):
    stream = "".join(f'{{"time": {time}, "atom": "{atom}"}}\n' for time, atom in HOT)
    return write("alarms.lars", PROGRAM), write("stream.jsonl", stream)


def test_why_text(larspark, files):
    program, stream = files
    outcome = larspark("why", "alarm(press)", program, "--stream", stream, "--at", 6)
    assert outcome.status == 0, outcome.err
    assert outcome.out.splitlines() == [
        "alarm(press) holds at 6, since 5",
        f"└─ {program}:2   alarm(M) :- always hot(M) [2], not technician(_) [3].   M = press",
        "   ├─ always hot(press) [2]    at every point of 4-6: "
        f'3 arrivals of "hot with machine press" ({stream}, lines 3-5)',
        "   └─ not technician(_) [3]    none in 3-6; the last, technician(ann) at 1 (line 1), left the window at 5",
        "It ends at 7 unless hot(press) arrives at 7",
        "        at once if technician(_) arrives",
    ]


def test_why_json_is_verified(larspark, files, write):
    program, stream = files
    outcome = larspark("why", "siren", program, "--stream", stream, "--at", 6, "--format", "json")
    (found,) = outcome.json
    assert found["question"] == {"ask": "why", "atom": "siren", "at": 6}
    assert found["span"] == {"from": 5, "to": 6}
    assert found["ends"]["without_input"] == 7
    assert [node["kind"] for node in found["nodes"]] == ["rule", "some", "rule", "always", "input", "absent"]
    assert found["nodes"][4]["lines"] == [[3, 5]]
    proof = write("proof.json", outcome.out)
    valid = larspark("verify", proof, "--program", program, "--stream", stream, "--format", "json")
    assert (valid.status, valid.json) == (0, [{"valid": True}])
    found["nodes"][4]["lines"] = [[3, 6]]
    wrong = larspark("verify", write("wrong.json", json.dumps(found)), "--program", program, "--stream", stream)
    assert wrong.status == 1
    assert wrong.out == "not valid: `lines` of hot(press) should be [[3, 5]]\n"


def test_depth(larspark, files):
    program, stream = files
    outcome = larspark("why", "siren", program, "--stream", stream, "--at", 6, "--depth", 1, "--format", "json")
    (found,) = outcome.json
    assert found["more"] == {"derivations": 0, "cut_at_depth": [2]}
    assert found["nodes"][2]["cut"] is True


def test_why_not(larspark, files):
    program, stream = files
    outcome = larspark("why-not", "alarm(press)", program, "--stream", stream, "--at", 8)
    assert outcome.status == 0, outcome.err
    assert outcome.out.splitlines() == [
        "alarm(press) does not hold at 8. One rule could give it; in the nearest miss 1 of 2 conditions do not hold.",
        f"{program}:2   alarm(M) :- always hot(M) [2], not technician(_) [3].   M = press",
        "  ✗ always hot(press) [2]    gap: at 1 of the 3 points of 6-8; missing 7-8",
        "  ✓ not technician(_) [3]",
        "It last held at 6; if all that the nearest miss asks for arrives, it may hold from 11 on.",
        "Smallest repairs   1  hot(press) at 8, hot(press) at 7",
    ]


def test_why_not_names_refused_lines(larspark, files, write):
    program, stream = files
    late = write("late.jsonl", stream.read_text() + '{"time": 7, "atom": "hot(press)"}\n')
    outcome = larspark("why-not", "alarm(press)", program, "--stream", late, "--on-error", "skip", "--format", "json")
    (found,) = outcome.json
    assert [(one["line"], one["atom"], one["code"]) for one in found["refused"]] == [(7, "hot(press)", "E405")]


def test_what_if(larspark, files):
    program, stream = files
    words = ("--stream", stream, "--add", "@7 hot(press)", "--drop", "line 5", "--format", "json")
    outcome = larspark("what-if", program, *words)
    assert [(one["sign"], one["from"], one["to"], one["atom"]) for one in outcome.json] == [
        ("-", 6, 6, "alarm(press)"),
        ("-", 6, 6, "siren"),
    ]
    text = larspark("what-if", program, "--stream", stream, "--add", "@7 hot(press)")
    assert f"+ 7: alarm(press)   by {program}:2" in text.out


def test_diff(larspark, files, write):
    program, stream = files
    other = write("new.lars", PROGRAM.replace("[2]", "[0]"))
    outcome = larspark("diff", program, other, "--stream", stream)
    assert outcome.out.splitlines() == [
        "predicate alarm/1: +1 -0 stretches",
        "predicate siren/0: +1 -0 stretches",
        f"rule {other}:2: +1 -0 stretches",
        f"rule {other}:3: +1 -0 stretches",
        f"+ 8: alarm(saw)   by {other}:2",
        f"+ 8: siren   by {other}:3",
    ]
    assert larspark("diff", program, program, "--stream", stream).out == "The answers are the same.\n"


def test_diff_tells_bad_records_once(larspark, write):
    program = write("p.lars", "b(X) :- a(X).")
    stream = write("s.jsonl", '{"time": 1, "atom": "a(1)"}\n{"time": 2}\n')
    outcome = larspark("diff", program, program, "--stream", stream, "--on-error", "skip")
    assert outcome.err.count("s.jsonl:2: ") == 1


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("why", "nothing(1)"), "E560"),
        (("why", "alarm(X)"), "E561"),
        (("why", "alarm(saw)"), "E563"),
        (("why-not", "siren", "--at", "6"), "E563"),
        (("why-not", "false"), "E563"),
        (("why", "siren", "--timeline", "1", "9", "--at", "0"), "E411"),
    ],
)
def test_questions_without_an_answer(larspark, files, words, code):
    program, stream = files
    command, atom, *more = words
    outcome = larspark(command, atom, program, "--stream", stream, *more, "--format", "json")
    assert outcome.status == 1
    assert outcome.errors[-1]["code"] == code


def test_drop_what_is_not_there(larspark, files):
    program, stream = files
    outcome = larspark("what-if", program, "--stream", stream, "--drop", "line 98", "--format", "json")
    assert (outcome.status, outcome.errors[-1]["code"]) == (1, "E565")


def test_add_what_no_rule_looks_at(larspark, files):
    program, stream = files
    words = ("--stream", stream, "--format", "json", "--add")
    outcome = larspark("what-if", program, *words, "@7 hott(press)")
    assert (outcome.status, outcome.errors[-1]["code"]) == (1, "E560")
    outcome = larspark("what-if", program, *words, "@7 alarm(press)")
    assert (outcome.status, outcome.errors[-1]["code"]) == (1, "E409")


def test_as_many_derivations_as_none(larspark, files):
    program, stream = files
    outcome = larspark("why", "alarm(press)", program, "--stream", stream, "--at", "6", "--all", "0")
    assert outcome.status == 2
    assert "`0` is not a positive number" in outcome.err


def test_why_not_about_what_arrives(larspark, files):
    program, stream = files
    outcome = larspark("why-not", "hot(lathe)", program, "--stream", stream, "--at", "6")
    assert "No rule gives it, and no arrival does." in outcome.out


def test_files_that_are_no_proofs(larspark, files, write):
    program, stream = files
    for text in ("no JSON", "[]", '{"schema": "other"}'):
        outcome = larspark(
            "verify", write("p.json", text), "--program", program, "--stream", stream, "--format", "json"
        )
        assert (outcome.status, outcome.errors[-1]["code"]) == (1, "E562")
    missing = larspark("verify", "missing.json", "--program", program, "--stream", stream, "--format", "json")
    assert (missing.status, missing.errors[-1]["code"]) == (1, "E702")


def test_a_time_after_the_recording_is_refused_unless_the_timeline_reaches_it(larspark, files):
    program, stream = files
    late = ("why-not", "alarm(press)", program, "--stream", stream, "--at", 99)
    outcome = larspark(*late)
    assert outcome.status == 1
    assert "E411" in outcome.err
    assert "lies after the recording" in outcome.err
    assert larspark(*late, "--timeline", 0, 99).status == 0


def test_more_differences_are_explained_on_request(larspark, write):
    old = write("old.lars", "a(X) :- b(X) [2].")
    new = write("new.lars", "a(X) :- b(X) [3].")
    stream = write("s.jsonl", "\n".join(f'{{"time": {10 * n}, "atom": "b({n})"}}' for n in range(30)))
    told = larspark("diff", old, new, "--stream", stream).out.splitlines()
    assert told[-1] == "(10 of 29 are explained: --explain all)"
    told = larspark("diff", old, new, "--stream", stream, "--explain", "all").out.splitlines()
    assert sum(line.endswith("new.lars:1") for line in told) == 29
    assert larspark("diff", old, new, "--stream", stream, "--explain", "some").status == 2
