"""Check a proof against the definitions of LARS: valid, or what is wrong with it.

The proof is a JSON object as `larspark why --format json` prints it. The answer streams are computed by the literal
semantics, not by the reasoner that made the proof, and every node is compared with them.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from larspark.cli.options.arguments import add_meaning_arguments, add_stream_arguments
from larspark.cli.options.questions import add_reasoner_argument, load_case, print_json
from larspark.diagnostics import Diagnostic, Rejected
from larspark.explain.verification.verify import verify

EXAMPLE = """\
  larspark why 'alarm(press)' machines.lars --stream machines.jsonl --format json > proof.json
  larspark verify proof.json --program machines.lars --stream machines.jsonl
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("proof", metavar="PROOF", help="a file with a proof; - is standard input")
    parser.add_argument("--program", required=True, metavar="PROGRAM", help="the program file")
    add_meaning_arguments(parser)
    add_stream_arguments(parser)
    add_reasoner_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    proof = read_proof(arguments.proof)
    complaint = verify(proof, load_case(arguments).setting)
    if arguments.format == "json":
        print_json({"valid": True} if complaint is None else {"valid": False, "complaint": complaint})
    else:
        print("valid" if complaint is None else f"not valid: {complaint}")
    return 0 if complaint is None else 1


def read_proof(source: str) -> dict[str, Any]:
    text = sys.stdin.read() if source == "-" else Path(source).read_text()
    try:
        found = json.loads(text)
    except ValueError as error:
        hint = "Print one with `larspark why … --format json`."
        raise Rejected([Diagnostic("E562", f"`{source}` holds no proof: {error}.", hint)]) from error
    return found if isinstance(found, dict) else {}
