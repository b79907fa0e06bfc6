"""Before and after, as text."""

from __future__ import annotations

import pytest

from larspark import parse
from larspark.analysis.rewrites.drop_implied_literals import drop_implied_literals
from larspark.analysis.rewrites.drop_subsumed_rules import drop_subsumed_rules
from larspark.analysis.rewrites.drop_unreachable_rules import drop_unreachable_rules
from larspark.analysis.rewrites.inline_equalities import inline_equalities
from larspark.analysis.rewrites.merge_windows import merge_windows
from larspark.analysis.rewrites.optimise import ORDINARY, REWRITES, optimise
from larspark.analysis.rewrites.push_comparisons import push_comparisons
from larspark.analysis.rewrites.split_windows import split_windows
from larspark.analysis.rewrites.unfold_single_uses import unfold_single_uses
from larspark.language.printing.printer import show
from larspark.language.resolve import resolve
from larspark.language.tree import Program

PAIRS = [
    # thesis Example 38: r and r'
    (merge_windows, "a :- b [10 #], c [10 #].", "a :- ((some b) and (some c)) [10 #]."),
    (merge_windows, "a :- b [5], d, always c [5], e [4].", "a :- ((some b) and (always c)) [5], d, e [4]."),
    (merge_windows, "a :- b [5], not c [5], d [6].", None),
    (merge_windows, "a :- b [from T to 5], c [from T to 5], e(T).", None),
    (split_windows, "a :- ((some b) and (some c)) [10 #].", "a :- b [10 #], c [10 #]."),
    (split_windows, "a :- (b and ((some c) and (@T d)) [3]).", "a :- b, c [3], @T d [3]."),
    (split_windows, "a :- (some (b and c)) [10 #].", None),
    (split_windows, "a :- not ((some b) and (some c)) [3].", None),
    (drop_implied_literals, "a :- b [3], b [5], c.", "a :- b [3], c."),
    (drop_implied_literals, "a :- b, b [5], always b [2], b.", "a :- always b [2]."),
    (drop_implied_literals, "a :- always b [2], always b [4].", "a :- always b [4]."),
    (drop_implied_literals, "a(T) :- @T b [2], @T b [9], @T b, b [3].", "a(T) :- @T b [2]."),
    (drop_implied_literals, "a :- not b [2], not b [4], not b.", "a :- not b [4]."),
    (drop_implied_literals, "a(X) :- b(X) [3], b(Y) [5], c(Y).", None),
    (drop_implied_literals, "a :- b [4 hop 2], b [9].", None),  # its pivot may lie before the timeline, or nine back
    (drop_implied_literals, "a :- b [3 #], b [5 #].", None),
    (drop_implied_literals, "a :- b(X), X > 20, 30 < X, X != 5, X >= 31.", "a :- b(X), X >= 31."),
    (drop_implied_literals, "a :- b(X), X >= 5, X > 5, X <= 9, X < 9.", "a :- b(X), X > 5, X < 9."),
    (drop_implied_literals, "a :- b(X), X >= 5, X != 5, X < 9, X != 8, Y > 3, c(Y).", None),
    (drop_subsumed_rules, "h(X) :- a(X), X > 2. h(Y) :- a(Y), b, Y > 7.", "h(X) :- a(X), X > 2."),
    (drop_subsumed_rules, "h(X) :- a(X), X > 7. h(Y) :- a(Y), b, Y > 2.", None),
    (drop_subsumed_rules, "h(X) :- a(X) [5]. h(1) :- a(1) [3], b.", "h(X) :- a(X) [5]."),
    (drop_subsumed_rules, "h :- a, b. h :- b, a.", "h :- a, b."),
    (drop_subsumed_rules, "h(X) :- a(X,Y), X < Y. h(Z) :- b, Z < U, a(Z,U).", "h(X) :- a(X,Y), X < Y."),
    (drop_subsumed_rules, "h(X) :- a(X), not b(_). h(X) :- a(X), not b(X), c.", None),
    (drop_subsumed_rules, "h(X) :- a(X), not b(X). h(X) :- a(X), not b(_).", None),
    (drop_subsumed_rules, "h(T) :- e(T), not @T a. h(x) :- e(x), not @x a, b.", None),  # T is a time, x is none
    (drop_subsumed_rules, "h | k :- a. h | k :- a, b. h :- a, c.", "h | k :- a. h :- a, c."),
    (drop_subsumed_rules, ":- a(_). :- a(1), b.", ":- a(_)."),
    (drop_subsumed_rules, "h(N) :- N = #count{ X : a(X) }. h(N) :- N = #count{ Y : a(Y) }, b.", None),
    (inline_equalities, "h(X) :- a(X,Y), Y = 3.", "h(X) :- a(X,3)."),
    (inline_equalities, "h(X) :- a(X,Y), b(Z), Y = Z, 1 < 2.", "h(X) :- a(X,Z), b(Z)."),
    (inline_equalities, "h :- @T a [3], T = 5, b(T).", "h :- @5 a [3], b(5)."),
    (inline_equalities, "@T h :- e(T), T = 5.", None),  # at a timeline that starts later, `@5 h` would contradict
    (inline_equalities, "h(X) :- a(Y), X = Y + 1.", None),
    (inline_equalities, "h :- a, 2 < 1.", None),
    (
        push_comparisons,
        "#show q/1. p(X,Y) :- e(X,Y). p(1,2). q(X) :- p(X,Y) [5], Y > 7. q(X) :- not p(X,Z), f(X,Z), 7 < Z.",
        "#show q/1. p(X,Y) :- e(X,Y), Y > 7. p(1,2) :- 2 > 7. q(X) :- p(X,Y) [5], Y > 7."
        " q(X) :- not p(X,Z), f(X,Z), 7 < Z.",
    ),
    (push_comparisons, "p(X) :- e(X). q(X) :- p(X), X > 7.", None),  # p is shown
    (push_comparisons, "#show q/1. p(X) :- e(X). q(X) :- p(X), X > 7. q(X) :- p(X), X > 8.", None),
    (push_comparisons, "#show q/1. @(T - 1) p(X) :- @T e(X). q(X) :- p(X) [5], X > 7.", None),
    (push_comparisons, "#show q/1. p(X) | r(X) :- e(X). q(X) :- p(X), X > 7. q(X) :- r(X).", None),
    (push_comparisons, "#show q/1. p(X) :- e(X). q(N) :- N = #count{ X : p(X), X > 7 }.", None),
    (
        unfold_single_uses,
        "#show q/1. p(X) :- e(X), not f(X). q(Y) :- p(Y), g(Y).",
        "#show q/1. q(Y) :- e(Y), not f(Y), g(Y).",
    ),
    (
        unfold_single_uses,
        "#show q/1. p(X,X + 1,c) :- e(X) [3]. q(Y) :- p(_,Y,Z), g(Z).",
        "#show q/1. q(Y) :- e(V1) [3], Y = V1 + 1, Z = c, g(Z).",
    ),
    (
        unfold_single_uses,
        "#show q/1. p(X) :- e(X,Y) [3], not f(Y). q(Y) :- p(Y), Y > 3.",
        "#show q/1. q(Y) :- e(Y,Y1) [3], not f(Y1), Y > 3.",
    ),
    (unfold_single_uses, "#show q/1. p(X) :- e(X,Y) [3], not f(Y). q(Y) :- p(Y), g(Y).", None),  # one p, many e
    (unfold_single_uses, "#show q/0. p(X) :- e(X), not f(X). q :- p(_).", "#show q/0. q :- e(V1), not f(V1)."),
    (unfold_single_uses, "p(X) :- e(X). q(X) :- p(X).", None),
    (unfold_single_uses, "#show q/1. p(X) :- e(X). q(X) :- p(X) [5].", None),
    (unfold_single_uses, "#show q/1. p(X) :- e(X). q(X) :- g(X), not p(X).", None),
    (unfold_single_uses, "#show q/1. @T p(X) :- @T e(X) [3]. q(X) :- p(X).", None),
    (unfold_single_uses, "#show q/1. p(X) :- e(X). p(1). q(X) :- p(X).", None),
    (unfold_single_uses, "#show q/1. p(X) :- e(X). q(X) :- p(X). q(X) :- p(X), a.", None),
    (unfold_single_uses, "#show q/0. p(T) :- e(T), not @T a. q :- p(x).", None),
    (unfold_single_uses, "#show q/0. #record p/0. p :- e. q :- p.", None),
    (
        drop_unreachable_rules,
        "#show q/0. q :- a. x :- q. y(X) :- x, e(X). @T z :- @T e(_) [3], not x. :- w. w :- e(1).",
        "#show q/0. q :- a. :- w. w :- e(1).",
    ),
    (drop_unreachable_rules, "#show q/0. q :- a. x :- not x.", None),
    (drop_unreachable_rules, "#show q/0. q :- a. x :- e(1). @5 y :- x.", None),  # there may be no time point 5
    (drop_unreachable_rules, "#show q/0. q | x :- a.", None),
    (drop_unreachable_rules, "q :- a. x :- q.", None),
    (drop_unreachable_rules, "#show q/0. q :- a. x :- q. #prefer 1 : x [3].", None),
]


@pytest.mark.parametrize(("rewrite", "before", "after"), PAIRS)
def test_pairs(rewrite, before, after):
    assert show(rewrite(resolve(parse(before)))) == show(resolve(parse(after or before)))


def test_every_rewrite_has_pairs_of_both_kinds():
    for rewrite in REWRITES:
        assert {after is None for one, _, after in PAIRS if one is rewrite.apply} == {True, False}


def test_rewrites_are_switchable():
    program = resolve(parse("#show q/1. p(X) :- e(X), e(X). q(X) :- p(X), X = 1. x :- q(1)."))
    assert optimise(program, ()).program is program
    one = optimise(program, {"drop-unreachable-rules"})
    assert [step.rewrite.name for step in one.steps] == ["drop-unreachable-rules"]
    assert [show(rule) for rule in one.steps[0].removed] == ["x :- q(1)."]
    full = optimise(program, ORDINARY)
    assert show(Program(full.program.rules)) == "q(1) :- e(1).\n"
    assert {step.rewrite.name for step in full.steps} == {
        "inline-equalities",
        "unfold-single-uses",
        "drop-implied-literals",
        "drop-unreachable-rules",
    }


def test_chains_are_unfolded_in_pieces():
    """Many rules become fewer, none of them large."""
    links = " ".join(f"p{n}(X) :- p{n + 1}(X), e{n}(X)." for n in range(60))
    program = resolve(parse(f"#show p0/1. {links}"))
    sizes = [len(rule.body) for rule in unfold_single_uses(program).rules]
    assert 6 <= len(sizes) <= 15
    assert max(sizes) <= 12
