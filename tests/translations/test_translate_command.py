from __future__ import annotations

import json
from pathlib import Path

import pytest

from larspark.cli.main import main
from larspark.language.parser import parse_program
from larspark.translations.languages import language_of

EXAMPLES = Path(__file__).parents[2] / "examples" / "translations"
QUERIES = sorted(path for path in EXAMPLES.iterdir() if language_of(path))


def beside(path: Path, ending: str) -> Path:
    """The file of the same example with another ending."""
    return path.with_name(path.name.partition(".")[0] + ending)


@pytest.mark.parametrize("path", QUERIES, ids=lambda path: path.name)
def test_every_example_is_translated(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["translate", str(language_of(path)), str(path), "--format", "json"]) == 0
    assert parse_program(json.loads(capsys.readouterr().out)["program"]).rules


@pytest.mark.parametrize("path", QUERIES, ids=lambda path: path.name)
def test_source_files_are_evaluated_as_they_are(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["eval", str(path), "--stream", str(beside(path, ".jsonl")), "--format", "json"]
    background = beside(path, ".facts")
    words += ["--background", str(background)] if background.exists() else []
    assert main([*words, "--reasoner", "reference"]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    expected = beside(path, ".expected")
    shown = [f"{answer['time']}: {' '.join(answer['answer_streams'][0]['now'])}" for answer in answers]
    assert shown == expected.read_text(encoding="utf-8").splitlines()


def test_a_lars_formula_in_ltl(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "formula"
    path.write_text("(some a [1])")
    assert main(["translate", "ltl", str(path), "--reverse", "--timeline", "0", "5", "--at", "3"]) == 0
    assert capsys.readouterr().out == "Y a | a\n"
    assert main(["translate", "ltl", str(path), "--reverse"]) == 0
    assert capsys.readouterr().out == "Y (!outside & a) | (!outside & a)\n"
    assert main(["translate", "ltl", str(path), "--reverse", "--timeline", "0", "5", "--at", "6"]) == 1
    assert "not on the timeline" in capsys.readouterr().err


def test_how_a_query_is_executed(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(EXAMPLES / "jams.csparql")
    assert main(["translate", "csparql", path, "--execution", "pull:7"]) == 0
    assert "now\\7 = 0" in capsys.readouterr().out
    with pytest.raises(SystemExit) as exit_:
        main(["translate", "csparql", path, "--execution", "sometimes"])
    assert exit_.value.code == 2


def test_intervals_as_windows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(EXAMPLES / "factory.etalis")
    assert main(["translate", "etalis", path, "--intervals", "windows"]) == 1
    assert "NOT has no translation" in capsys.readouterr().err
    plain = tmp_path / "plain.etalis"
    plain.write_text("ab <- a SEQ b. short <- (ab).3.")
    assert main(["translate", "etalis", str(plain), "--intervals", "windows"]) == 0
    shown = capsys.readouterr()
    assert shown.out.count("always") == 2 + 3
    assert "ab/0 stay apart depends on the data" in shown.err
    assert main(["translate", "etalis", str(plain), "--guard"]) == 0
    assert "inseparable(ab) :-" in capsys.readouterr().out


def test_where_push_and_pull_differ(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["translate", "cqels", str(EXAMPLES / "delays.cqels"), "--agreement", str(EXAMPLES / "delays.jsonl")]
    assert main([*words, "--execution", "pull:5", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == {"agree": False, "pushed_only": [2, 11], "pulled_only": [0], "interval": 5, "merged_patterns": 0}
    assert main([*words, "--execution", "pull:5"]) == 0
    assert "only an arrival meets, and no interval: at 2, 11." in capsys.readouterr().out


@pytest.mark.parametrize("path", QUERIES, ids=lambda path: path.name)
def test_the_documentation_shows_what_is_printed(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = (EXAMPLES.parents[1] / "docs" / "from-other-languages.md").read_text(encoding="utf-8")
    section = page[page.index(f"`examples/translations/{path.name}`:") :]
    source, printed = section.split("```")[1::2][:2]
    assert source.partition("\n")[2].strip() == path.read_text(encoding="utf-8").strip()
    assert main(["translate", str(language_of(path)), str(path)]) == 0
    assert printed.partition("\n")[2] == capsys.readouterr().out


def test_what_a_translation_changes_is_said_every_time(capsys: pytest.CaptureFixture[str]) -> None:
    path, stream = str(EXAMPLES / "bids.sql"), str(EXAMPLES / "bids.jsonl")
    for words in (["translate", "sql", path], ["check", path], ["eval", path, "--stream", stream]):
        assert main(words) == 0
        assert "W802" in capsys.readouterr().err, words
    assert main(["translate", "sql", path, "--arrivals"]) == 0
    shown = capsys.readouterr()
    assert not shown.err
    assert "bid(item, bidder, price, arrival)" in shown.out
    assert main(["eval", path, "--stream", stream, "--strict"]) == 1
