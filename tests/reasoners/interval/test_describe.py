"""The plan as text and as data."""

from __future__ import annotations

import json

from larspark.reasoners.interval.display.describe import describe
from larspark.reasoners.interval.planning.statistics import Size
from support.analysed import analysed

PROGRAM = """
q(X,Z) :- p(X,Y) [3], p(Y,Z) [3], X != Z.
r(X) :- q(X,_), not s(X) [5].
r(Y) :- r(X), q(X,Y).
n(N) :- N = #count{ X : r(X) }.
@(T+1) late(X) :- @T p(X,_) [2], always p(X,1) [2].
"""

EXPECTED = """\
part 1: some p/2 [3]
  some p/2 [3](A0, A1)
    when input p/2(A0, A1, $time) changes
      while $time is in [-3, +0]
part 2, stratum 1: q/2
  line 2: q(X,Z) :- p(X,Y) [3], p(Y,Z) [3], X != Z.
    when some p/2 [3](X, Y) changes
      join some p/2 [3](Y, Z) by Y, index on column 1
      if X != Z
    when some p/2 [3](Y, Z) changes
      join some p/2 [3](X, Y) by Y, index on column 2
      if X != Z
part 3: some s/1 [5]
  some s/1 [5](A0)
    when input s/1(A0, $time) changes
      while $time is in [-5, +0]
part 4, stratum 1, recursive: r/1
  line 3: r(X) :- q(X,_), not s(X) [5].
    when q/2(X, _1) changes
      unless some s/1 [5](X) by its key
    when some s/1 [5](X) ends or begins, being negated
      unless some s/1 [5](X) by its key
      join q/2(X, _1) by X, index on column 1
  line 4: r(Y) :- r(X), q(X,Y).
    when r/1(X) changes
      join q/2(X, Y) by X, index on column 1
    when q/2(X, Y) changes
      join r/1(X) by its key
part 5: groups, #count
  groups, #count: aggregates of r/1, by events
part 6, stratum 2: n/1
  line 5: n(N) :- N = #count{ X : r(X) }.
    when #count(N) changes
  line 5: n(N) :- N = #count{ X : r(X) }.
    when groups() ends or begins, being negated
      if N = 0
      unless groups() by its key
    at the start
      if N = 0
      unless groups() by its key
part 7: at p/2 [2]
  at p/2 [2](A0, A1, T)
    when input p/2(A0, A1, T) changes
      while T is in [-2, +0]
part 8: always p/2 [2]
  always p/2 [2]: runs of input p/2
part 9: inconsistent
  line 6: @(T+1) late(X) :- @T p(X,_) [2], always p(X,1) [2].
    when at p/2 [2](X, _1, T) changes
      let $1 = +(T, 1)
      if $1 is not a time point
      let $2 = #integer($1)
      join always p/2 [2](X, 1) by its key
    when always p/2 [2](X, 1) changes
      join at p/2 [2](X, _1, T) by X, index on column 1
      let $1 = +(T, 1)
      if $1 is not a time point
      let $2 = #integer($1)
part 10, stratum 1: @ late/1
  line 6: @(T+1) late(X) :- @T p(X,_) [2], always p(X,1) [2].
    when at p/2 [2](X, _1, T) changes
      let $1 = +(T, 1)
      if $1 is a time point
      join always p/2 [2](X, 1) by its key
    when always p/2 [2](X, 1) changes
      join at p/2 [2](X, _1, T) by X, index on column 1
      let $1 = +(T, 1)
      if $1 is a time point
kept, with indexes
  inconsistent: its key
  q/2: its key; column 1; column 2
  r/1: its key, may be taken back
  n/1: its key, may be taken back
  @ late/1: its key
  some p/2 [3]: its key; column 1; column 2
  some s/1 [5]: its key
  groups: its key, may be taken back
  #count: its key, may be taken back
  at p/2 [2]: its key; column 1
  always p/2 [2]: its key
"""


def test_the_plan_of_a_program() -> None:
    assert "\n".join(describe(analysed(PROGRAM)).lines()) == EXPECTED.rstrip("\n")


def test_the_description_is_plain_data() -> None:
    value = json.loads(json.dumps(describe(analysed(PROGRAM)).value()))
    assert value["statistics"] is None
    by_relation = {part["relations"][0]: part for part in value["parts"]}
    assert (by_relation["r/1"]["recursive"], by_relation["q/2"]["recursive"]) == (True, False)
    assert by_relation["r/1"]["stratum"] == 1
    assert by_relation["q/2"]["rules"] == [
        {
            "line": 2,
            "rule": "q(X,Z) :- p(X,Y) [3], p(Y,Z) [3], X != Z.",
            "concludes": "q/2(X, Z)",
            "starts": [
                {
                    "when": "when some p/2 [3](X, Y) changes",
                    "steps": [
                        {
                            "kind": "join",
                            "text": "join some p/2 [3](Y, Z) by Y, index on column 1",
                            "bound": [0],
                        },
                        {"kind": "filter", "text": "if X != Z"},
                    ],
                },
                {
                    "when": "when some p/2 [3](Y, Z) changes",
                    "steps": [
                        {
                            "kind": "join",
                            "text": "join some p/2 [3](X, Y) by Y, index on column 2",
                            "bound": [1],
                        },
                        {"kind": "filter", "text": "if X != Z"},
                    ],
                },
            ],
        }
    ]
    assert {"name": "r/1", "columns": 1, "indexes": [], "revocable": True} in value["relations"]


def test_statistics_are_shown_with_what_they_lead_to() -> None:
    sizes = {"some p/2 [3]": Size(1000, (50, 200))}
    described = describe(analysed(PROGRAM), statistics=sizes)
    lines = [line.strip() for line in described.lines()]
    assert "join some p/2 [3](Y, Z) by Y, index on column 1: about 20 rows" in lines
    assert "join some p/2 [3](X, Y) by Y, index on column 2: about 5 rows" in lines
    assert "some p/2 [3]: 1,000 rows, distinct per column 50, 200" in lines
    assert described.value()["statistics"] == {"some p/2 [3]": {"rows": 1000, "distinct": [50, 200]}}
