"""YAML with places: what Prometheus and Sigma write their rules in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import yaml

from larspark.diagnostics import Diagnostic, Origin, Rejected
from larspark.translations.reading import REPEATED_NAME, SYNTAX


@dataclass(frozen=True)
class YamlNode:
    """A node of a YAML text; every question that does not fit it is `Rejected` at its place."""

    node: yaml.Node
    file: str
    source: str

    @property
    def origin(self) -> Origin:
        start, end = self.node.start_mark, self.node.end_mark
        if end.line > start.line:
            line = self.source.split("\n")[start.line]
            return Origin(self.file, start.line + 1, start.column + 1, start.line + 1, len(line.rstrip()) + 1)
        return Origin(self.file, start.line + 1, start.column + 1, end.line + 1, end.column + 1)

    def rejected(self, code: str, message: str, hint: str) -> Rejected:
        return Rejected([Diagnostic(code, message, hint, self.origin)])

    def text(self, what: str) -> str:
        """The text of a scalar."""
        if not isinstance(self.node, yaml.ScalarNode):
            raise self.rejected(SYNTAX, f"{what} is a text.", "Write one value behind the colon.")
        return str(self.node.value)

    def is_text(self) -> bool:
        return isinstance(self.node, yaml.ScalarNode)

    def is_list(self) -> bool:
        return isinstance(self.node, yaml.SequenceNode)

    def scalar(self, what: str) -> object:
        """The value of a scalar, by the types of YAML."""
        self.text(what)
        return yaml.safe_load(self.source[self.node.start_mark.index : self.node.end_mark.index])

    def elements(self, what: str) -> tuple[YamlNode, ...]:
        """The elements of a list."""
        if not isinstance(self.node, yaml.SequenceNode):
            raise self.rejected(SYNTAX, f"{what} is a list.", "Begin each element with `- `.")
        return tuple(YamlNode(one, self.file, self.source) for one in self.node.value)

    def entries(self, what: str) -> Mapping[str, YamlNode]:
        """The values of a mapping by their names."""
        return {name.text("A name"): value for name, value in self._pairs(what)}

    def fields(self, what: str, known: Mapping[str, str]) -> Mapping[str, YamlNode]:
        """The same, where only these names may stand; a name with a hint is known and not translated."""
        found = {}
        for name, value in self._pairs(what):
            hint = known.get(name.text("A name"))
            if hint is None or hint:
                allowed = ", ".join(one for one, why_not in known.items() if not why_not)
                message = f"`{name.text('A name')}` has no translation in {what}."
                raise name.rejected("E802", message, hint or f"Known are {allowed}.")
            found[name.text("A name")] = value
        return found

    def _pairs(self, what: str) -> Iterator[tuple[YamlNode, YamlNode]]:
        if not isinstance(self.node, yaml.MappingNode):
            raise self.rejected(SYNTAX, f"{what} has named parts.", "Write `name: value`, one on each line.")
        seen = set()
        for key, value in self.node.value:
            name = YamlNode(key, self.file, self.source)
            if name.text("A name") in seen:
                message = f"`{name.text('A name')}` is there twice."
                raise name.rejected(REPEATED_NAME, message, "Leave one of them out.")
            seen.add(name.text("A name"))
            yield name, YamlNode(value, self.file, self.source)

    def padded(self, what: str) -> str:
        """The text of a scalar behind as many lines and blanks as stand before it, so that places in it are those
        of the file. A quoted text with escapes has only a beginning there."""
        value = self.text(what)
        start, end = self.node.start_mark, self.node.end_mark
        written = self.source[start.index : end.index]
        style = getattr(self.node, "style", None)
        if style in ("|", ">"):
            head, _, body = written.partition("\n")
            return "\n" * (start.line + 1) + body.rstrip() if head else value
        if style in ("'", '"'):
            inner = written[1:-1]
            written = f" {inner}" if "\\" not in inner and "''" not in inner else f" {value}"
        return "\n" * start.line + " " * start.column + written


def documents(text: str, file: str) -> tuple[YamlNode, ...]:
    """The documents of a YAML text, without empty ones; `Rejected` for what is no YAML."""
    try:
        found = list(yaml.compose_all(text, Loader=yaml.SafeLoader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
        place = Origin(file, line, column, line, column + 1)
        message = f"This is not YAML: {error.problem or error.context}."
        raise Rejected([Diagnostic(SYNTAX, message, "Check indentation, colons and quotes.", place)]) from None
    except yaml.YAMLError as error:
        place = Origin(file, 1, 1, 1, 2)
        raise Rejected(
            [Diagnostic(SYNTAX, f"This is not YAML: {error}.", "Save it as text in UTF-8.", place)]
        ) from None
    return tuple(YamlNode(one, file, text) for one in found if one is not None)
