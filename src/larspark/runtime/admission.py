"""Which input atoms a program takes: the check every source passes its atoms through."""

from __future__ import annotations

from larspark.analysis.pipeline import Analysis
from larspark.diagnostics import Diagnostic
from larspark.language.facts import Fact, Signature
from larspark.language.traversal import atoms


class Admission:
    """Says of an input atom why it cannot enter, or None; decided once per signature."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis
        self._decided: dict[Signature, Diagnostic | None] = {}

    def objection(self, fact: Fact) -> Diagnostic | None:
        return self.to_signature(fact.signature)

    def to_signature(self, signature: Signature) -> Diagnostic | None:
        """The objection to all atoms of a predicate."""
        if signature not in self._decided:
            self._decided[signature] = self._decide(signature)
        return self._decided[signature]

    def _decide(self, signature: Signature) -> Diagnostic | None:
        analysis = self._analysis
        if signature in analysis.intensional and signature not in analysis.extensional:
            rule = next(r for r in analysis.program.rules if any(a.signature == signature for a in atoms(r.head)))
            where = f" at {rule.origin}" if rule.origin else ""
            return Diagnostic(
                "E409",
                f"{signature} is derived by the rule{where}, so it cannot arrive as input.",
                f"Rename one of the two, or declare `#input {signature}.` if it is meant to be both.",
            )
        if signature in analysis.relations:
            return Diagnostic(
                "E409",
                f"{signature} is a built-in relation, so it cannot arrive as input.",
                f"Rename it, or declare `#input {signature}.` if the program means what arrives.",
            )
        if signature in analysis.background and signature not in analysis.extensional:
            return Diagnostic(
                "E409",
                f"{signature} is background data, which holds always, so it cannot arrive as input.",
                f"Rename one of the two, or declare `#input {signature}.` if it is meant to be both.",
            )
        known = analysis.intensional | analysis.extensional | analysis.background
        if signature not in known:
            others = sorted(str(other) for other in known if other.predicate == signature.predicate)
            if others:
                return Diagnostic(
                    "E410",
                    f"{signature} has another number of arguments than in the program, which uses {', '.join(others)}.",
                    f"Correct the atom or the program; of a table, `#input {signature.predicate}(COLUMN, …).` chooses "
                    "the columns that the program reads.",
                )
        return None
