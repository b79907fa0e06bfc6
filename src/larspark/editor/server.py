"""The language server: what editors ask over standard input and output, answered from the outline of a program."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

import larspark
from larspark.diagnostics import Diagnostic, Origin, Rejected, Severity
from larspark.editor.outline import NameInText, Outline, language_words, outline_of
from larspark.language.printing.format import format_program
from larspark.language.values import show_value

_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.NOTE: lsp.DiagnosticSeverity.Information,
}

Pointing: TypeAlias = lsp.HoverParams | lsp.DefinitionParams | lsp.ReferenceParams | lsp.RenameParams


class LarsServer(LanguageServer):
    """Keeps the last outline of each document, so that there are answers while a line is being typed."""

    def __init__(self) -> None:
        super().__init__("larspark", larspark.__version__)
        self.outlines: dict[str, Outline] = {}

    def follow(self, uri: str) -> None:
        """Read a document again, and tell what is wrong with it."""
        document = self.workspace.get_text_document(uri)
        outline, findings = outline_of(document.source, _file(uri))
        if outline is not None:
            self.outlines[uri] = outline
        here = [_diagnostic(one) for one in findings if one.origin is None or one.origin.file == _file(uri)]
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, here))

    def pointed_at(self, params: Pointing) -> tuple[Outline, NameInText] | None:
        outline = self.outlines.get(params.text_document.uri)
        found = outline and outline.at(params.position.line + 1, params.position.character + 1)
        return (outline, found) if outline and found else None


SERVER = LarsServer()


@SERVER.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
def opened(server: LarsServer, params: lsp.DidOpenTextDocumentParams) -> None:
    server.follow(params.text_document.uri)


@SERVER.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
def changed(server: LarsServer, params: lsp.DidChangeTextDocumentParams) -> None:
    server.follow(params.text_document.uri)


@SERVER.feature(lsp.TEXT_DOCUMENT_HOVER)
def hover(server: LarsServer, params: lsp.HoverParams) -> lsp.Hover | None:
    if found := server.pointed_at(params):
        outline, one = found
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, outline.about(one.signature)), _range(one.place))
    return None


@SERVER.feature(lsp.TEXT_DOCUMENT_DEFINITION)
def definition(server: LarsServer, params: lsp.DefinitionParams) -> list[lsp.Location]:
    if found := server.pointed_at(params):
        outline, one = found
        return [_location(place.place) for place in outline.definitions(one.signature)]
    return []


@SERVER.feature(lsp.TEXT_DOCUMENT_REFERENCES)
def references(server: LarsServer, params: lsp.ReferenceParams) -> list[lsp.Location]:
    if found := server.pointed_at(params):
        outline, one = found
        return [_location(place.place) for place in outline.everywhere(one.signature)]
    return []


@SERVER.feature(lsp.TEXT_DOCUMENT_RENAME)
def rename(server: LarsServer, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
    if found := server.pointed_at(params):
        outline, one = found
        edits: dict[str, list[lsp.TextEdit]] = {}
        for place in outline.everywhere(one.signature):
            edit = lsp.TextEdit(_range(place.place), show_value(params.new_name))
            edits.setdefault(_uri(place.place.file), []).append(edit)
        return lsp.WorkspaceEdit(edits)
    return None


@SERVER.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=["#"]))
def completion(server: LarsServer, params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
    outline = server.outlines.get(params.text_document.uri)
    found = outline.suggestions() if outline else language_words()
    return [lsp.CompletionItem(word, detail=kind) for word, kind in found.items()]


@SERVER.feature(lsp.TEXT_DOCUMENT_CODE_ACTION)
def hints(server: LarsServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """The hint of each finding; it says what to do, and `larspark explain` says more."""
    return [
        lsp.CodeAction(f"{one.code}: {one.data}", lsp.CodeActionKind.QuickFix, diagnostics=[one])
        for one in params.context.diagnostics
        if one.data
    ]


@SERVER.feature(lsp.TEXT_DOCUMENT_FORMATTING)
def formatting(server: LarsServer, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
    document = server.workspace.get_text_document(params.text_document.uri)
    try:
        laid_out = format_program(document.source, _file(params.text_document.uri))
    except Rejected:
        return []
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(len(document.lines), 0))
    return [lsp.TextEdit(whole, laid_out)]


def _diagnostic(finding: Diagnostic) -> lsp.Diagnostic:
    place = finding.origin or Origin("", 1, 1, 1, 1)
    return lsp.Diagnostic(
        _range(place),
        finding.message + (f" {finding.hint}" if finding.hint else ""),
        _SEVERITIES[finding.severity],
        finding.code,
        source="larspark",
        data=finding.hint,
    )


def _range(place: Origin) -> lsp.Range:
    start = lsp.Position(place.line - 1, place.column - 1)
    return lsp.Range(start, lsp.Position(place.end_line - 1, place.end_column - 1))


def _location(place: Origin) -> lsp.Location:
    return lsp.Location(_uri(place.file), _range(place))


def _uri(file: str) -> str:
    return from_fs_path(str(Path(file).absolute())) or file


def _file(uri: str) -> str:
    return to_fs_path(uri) or uri
