"""The commands, in the order in which `larspark --help` shows them.

A command module offers `EXAMPLE`, `add_arguments(parser)` and `run(arguments) -> int`; it is imported only when it
is used.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Command:
    name: str
    summary: str

    @property
    def module(self) -> str:
        return f"larspark.cli.commands.{self.name.replace('-', '_')}"


COMMANDS = (
    Command("demo", "two pipelines on embedded Spark with tables and pictures, or one of the examples, drawn"),
    Command("check", "what is wrong with a program, and everything known about it before data arrives"),
    Command("eval", "the answer streams of a program over a recorded stream, at every time point"),
    Command("encode", "the answer set program that the clingo reasoner solves at a time point"),
    Command("query", "a LARS formula over a recorded stream: yes or no, or the answers"),
    Command("run", "the pipeline on Spark: a program over files and tables, to tables, on one machine or a cluster"),
    Command("tick", "keep a program current while atoms arrive from files, stdin and sockets"),
    Command("serve", "a live page: time, rules and proofs to look at, input to send, rules to try"),
    Command("foresee", "what may still become true, because of what, and what it needs"),
    Command("why", "the proof of an atom: rules, lines of the input, windows, and how long it holds"),
    Command("why-not", "what is missing for an atom, the nearest miss first, and the smallest repairs"),
    Command("what-if", "how the answers differ when other atoms arrive"),
    Command("diff", "how the answers of two programs differ on past data"),
    Command("test", "cases for rules: what arrives, what must follow, and which rules were tried"),
    Command("verify", "check a proof against the definitions"),
    Command("compare", "do two programs mean the same, and if not, what tells them apart"),
    Command("translate", "a query in LTL, CQL, ETALIS, C-SPARQL or CQELS as a LARS program"),
    Command("fmt", "lay programs out: spaces and indentation, never words, comments or line breaks"),
    Command("lsp", "a language server for editors: errors while you type, hover, definitions, renaming, completion"),
    Command("explain", "the page of an error or a warning: what it means, and how it looks right"),
    Command("warm-up", "compile the kernels now instead of at the first use, for images and set-up scripts"),
    Command("bench", "how fast the reasoners are, beside hand-written Python, clingo and polars"),
)
