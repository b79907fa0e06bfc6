"""`larspark compare`, and what it refuses."""

from __future__ import annotations

import pytest

from larspark import parse
from larspark.diagnostics import Rejected
from larspark.equivalence.notions import Limits, Method, Notion, compare
from larspark.equivalence.setting import Setting, last_reached
from larspark.semantics.streams import Stream


def notions(first: str, second: str, end: int = 1) -> dict[Notion, bool]:
    setting = Setting(Stream.of(0, end), end)
    return {notion: compare(parse(first), parse(second), setting, notion).equivalent for notion in Notion}


@pytest.mark.parametrize(
    ("first", "second", "holding"),
    [
        ("a :- not b.", "a.", "ordinary"),
        ("a | b.", "a :- not b. b :- not a.", "ordinary uniform data"),
        ("a :- b. a :- b, c.", "a :- b.", "ordinary uniform data strong"),
        ("h :- e [1].", "h :- e [2].", "ordinary uniform data strong"),  # nothing lies two points back from 1
        ("h :- e [1].", "h :- e.", "ordinary"),
        ("h :- not e [1].", "h :- (always (not e)) [1].", "ordinary uniform data strong"),
        ("h :- e [1]. k :- h.", "h :- e [1]. k :- e [1].", "ordinary data"),
        ("u :- v. v :- u.", "u :- v, u. v :- u.", "ordinary data"),
        ("h :- e [2 #], f [2 #].", "h :- ((some e) and (some f)) [2 #].", "ordinary uniform data strong"),
        ("h :- e [2 #], f [2 #].", "h :- (some (e and f)) [2 #].", "ordinary uniform strong"),
    ],
)
def test_notions(first, second, holding):
    found = notions(first, second)
    assert " ".join(str(notion) for notion in Notion if found[notion]).split() == [
        str(notion) for notion in Notion if str(notion) in holding.split()
    ]


def test_the_timeline_reaches_as_far_as_the_programs():
    assert last_reached(3, [parse("a :- b [2, +4]. a :- b [+1].")]) == 7
    assert last_reached(3, [parse("@5 a :- @(now + 6) b [+1].")]) == 10
    assert last_reached(3, [parse("a :- b.")]) == 3


def test_orders_of_arrival_are_told_apart():
    """With the last atom only, e is seen if f does not come after it."""
    setting = Setting(Stream.of(0, 0), 0)
    verdict = compare(parse("h :- e, f, e [1 #]."), parse("h :- e, f, f [1 #]."), setting, Notion.DATA)
    assert verdict.method is Method.ENUMERATION
    assert verdict.witness is not None
    assert {str(fact) for _, fact in verdict.witness.added} == {"e", "f"}


@pytest.mark.parametrize(
    ("first", "limits", "code"),
    [
        ("a(X) :- b(X).", Limits(), "E531"),
        ("a :- not b(_).", Limits(), "E531"),
        ("a :- 1 <= #count{ 1 : b }.", Limits(), "E531"),
        ("a(1 / 0) :- b.", Limits(), "E532"),
        ("a :- b, 1 / 0 = 1.", Limits(), "E532"),
        ("a :- b, not c. b :- c, not d.", Limits(atoms=7), "E534"),
        ("a | b. a :- b. b :- a. :- not a.", Limits(refutations=0), "E533"),
    ],
)
def test_refusals(first, limits, code):
    with pytest.raises(Rejected) as refused:
        compare(parse(first), parse("a."), Setting(Stream.of(0, 1), 0), Notion.UNIFORM, limits=limits)
    assert [diagnostic.code for diagnostic in refused.value.diagnostics] == [code]


def test_enumeration_has_a_limit():
    setting = Setting(Stream.of(0, 9), 9)
    with pytest.raises(Rejected) as refused:
        compare(parse("h :- e [2 #]."), parse("h :- e [3 #]."), setting, Notion.DATA, limits=Limits(contexts=1000))
    assert refused.value.diagnostics[0].code == "E534"
    assert "1000" in refused.value.diagnostics[0].message


def test_large_instances_go_to_the_solver():
    """Recursion, choices and future windows over 40 time points: 2^80 input streams."""
    first = "p :- a [9]. q :- p, not r [5]. r :- b [3], not q. @38 z :- q. u :- v [2]. v :- u [3]. v :- a [2], z [+4]."
    setting = Setting(Stream.of(0, 40), 36)
    verdict = compare(parse(first), parse(first.replace("u :- v [2]", "u :- v [2], not w")), setting, Notion.DATA)
    assert verdict.method is Method.SEARCH
    assert verdict.witness is not None
    assert verdict.witness.confirmed
    assert compare(parse(first), parse(first + "v :- a [1], z [+4], u."), setting, Notion.DATA).equivalent


def test_arguments_of_any_kind():
    first, second = parse("h(2) :- e(1), e(x), e(1.5) [1]."), parse("h(2) :- e(1), e(x).")
    for method in Method:
        for notion in (Notion.STRONG, Notion.UNIFORM, Notion.DATA):
            verdict = compare(first, second, Setting(Stream.of(0, 0), 0), notion, method=method)
            assert verdict.witness is not None
            assert verdict.witness.confirmed


def test_what_the_judge_cannot_confirm_is_said():
    """Sixteen disjunctions in one component are too many for the definition."""
    numbers = range(16)
    first = " ".join(f"a({n}) | b({n}). a({n}) :- a({(n + 1) % 16})." for n in numbers)
    verdict = compare(parse(first), parse(first + " c :- a(3)."), Setting(Stream.of(0, 0), 0), Notion.ORDINARY)
    assert verdict.witness is not None
    assert not verdict.witness.confirmed
    assert len(verdict.witness.example) in (16, 17)
