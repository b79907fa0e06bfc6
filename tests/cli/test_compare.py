from __future__ import annotations

STREAM = '{"time": 0, "atom": "e"}\n{"time": 4, "atom": "e"}\n'


def call(larspark, write, first, second, *words):
    paths = write("p.lars", first), write("q.lars", second)
    return larspark("compare", *paths, "--stream", write("s.jsonl", STREAM), *words)


def test_a_stream_tells_window_sizes_apart(larspark, write):
    outcome = call(larspark, write, "h :- a [1].", "h :- a [2].", "--notion", "data", "--at", 4, "--format", "json")
    assert outcome.status == 0
    assert outcome.json == [
        {
            "equivalent": False,
            "notion": "data",
            "witness": {
                "stream": [{"time": 2, "atom": "a"}],
                "answers": {"P": [{"now": [], "at": {}}], "Q": [{"now": ["h"], "at": {}}]},
                "only": {"P": {"now": [], "at": {}}},
                "confirmed": True,
            },
            "bound": {"timeline": [0, 4], "at": 4, "atoms": ["a"], "method": "search"},
        }
    ]


def test_a_program_tells_a_disjunction_from_a_choice(larspark, write):
    outcome = call(larspark, write, "a | b.", "a :- not b. b :- not a.", "--notion", "strong", "--at", 0)
    assert outcome.out == (
        "not strongly equivalent at 0, on the time points 0 to 0, for contexts over a, b\n"
        "together with\n  @0 b :- @0 a.\n  @0 a :- @0 b.\n"
        "P has the answer streams\n  a, b\n"
        "Q has no answer stream\n"
    )


def test_facts_tell_a_default_from_a_fact(larspark, write):
    words = ("--notion", "uniform", "--at", 4, "--format", "json")
    (found,) = call(larspark, write, "a :- not b.", "a.", *words).json
    assert found["witness"]["facts"] == ["@4 b."]
    (relativised,) = call(larspark, write, "a :- not b.", "a.", *words, "--over", "@3 b", "--over", "a").json
    assert relativised["equivalent"] is True
    assert relativised["bound"]["atoms"] == ["a", "@3 b"]


def test_only_what_is_shown_is_compared(larspark, write):
    first, second = "#show h/0. k :- e [1]. h :- k.", "#show h/0. h :- e [1]."
    words = ("--notion", "data", "--at", 2, "--format", "json")
    assert call(larspark, write, first, second, *words).json[0]["equivalent"] is False
    assert call(larspark, write, first, second, *words, "--shown").json[0]["equivalent"] is True


def test_bad_input_is_refused(larspark, write):
    outcome = call(larspark, write, "a(X) :- b(X).", "a(1).", "--at", 4)
    assert outcome.status == 1
    assert "E531" in outcome.err
    assert "E411" in call(larspark, write, "a.", "b.", "--at", 9, "--timeline", 0, 5).err
    assert "E535" in call(larspark, write, "a.", "b.", "--at", 4, "--notion", "uniform", "--over", "a(X)").err
    assert "E536" in call(larspark, write, "a.", "b.", "--at", 4, "--notion", "strong", "--shown").err
    assert "E409" in call(larspark, write, "a.", "e.", "--at", 4).err
