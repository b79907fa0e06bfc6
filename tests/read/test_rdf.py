from __future__ import annotations

from pathlib import Path

import pytest

from larspark.diagnostics import Rejected
from larspark.language.calendar import Calendar
from larspark.language.facts import Fact
from larspark.read import CheckedChunks, Rules, read_background, read_chunks

STREAM = """
@prefix prov: <http://www.w3.org/ns/prov#> .
@prefix ex: <http://ex.org/> .
ex:e1 prov:generatedAtTime 3 ; prov:wasDerivedFrom ex:cars .
ex:e2 prov:generatedAtTime 5 .
ex:e1 { ex:a ex:at ex:b . ex:a ex:speed 50.5 . }
ex:e2 { ex:a ex:says "hello"@en . }
"""


def arrivals(path: Path) -> list[tuple[int, Fact]]:
    return [arrival for chunk in CheckedChunks(read_chunks(path, Rules(Calendar()))) for arrival in chunk.arrivals()]


def test_elements_of_a_stream_arrive_in_file_order(tmp_path: Path) -> None:
    path = tmp_path / "traffic.trig"
    path.write_text(STREAM)
    a, at, b = "<http://ex.org/a>", "<http://ex.org/at>", "<http://ex.org/b>"
    assert [(time, str(fact)) for time, fact in arrivals(path)] == [
        (3, str(Fact("triple", (a, at, b, "<http://ex.org/cars>")))),
        (3, 'triple("<http://ex.org/a>","<http://ex.org/speed>",50.5,"<http://ex.org/cars>")'),
        (5, r'triple("<http://ex.org/a>","<http://ex.org/says>","\"hello\"@en","<urn:stream:traffic>")'),
    ]


def test_timestamps_follow_the_calendar(tmp_path: Path) -> None:
    path = tmp_path / "traffic.nq"
    stamp = '"1970-01-01T00:00:07Z"^^<http://www.w3.org/2001/XMLSchema#dateTime>'
    path.write_text(
        f"<urn:e> <http://www.w3.org/ns/prov#generatedAtTime> {stamp} .\n<urn:a> <urn:b> <urn:c> <urn:e> .\n"
    )
    assert [time for time, _ in arrivals(path)] == [7]


def test_static_graphs(tmp_path: Path) -> None:
    path = tmp_path / "plan.nq"
    path.write_text("<urn:a> <urn:b> <urn:c> <urn:g> .\n<urn:a> <urn:b> _:x .\n")
    first, second = read_background(path)
    assert first == Fact("graph", ("<urn:a>", "<urn:b>", "<urn:c>", "<urn:g>"))
    assert second.args[3] == "default"


@pytest.mark.parametrize(
    ("name", "text", "code", "line"),
    [
        ("broken.ttl", "<urn:a> <urn:b> .\n", "E401", 1),
        ("broken.nq", "<urn:a> <urn:b> <urn:c> .\n<urn:a> nonsense .\n", "E401", 2),
        ("untimed.nq", "<urn:a> <urn:b> <urn:c> <urn:g> .\n", "E402", 1),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, name: str, text: str, code: str, line: int) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(Rejected) as caught:
        arrivals(path)
    (found,) = caught.value.diagnostics
    assert found.code == code
    assert found.origin is not None
    assert found.origin.line == line
