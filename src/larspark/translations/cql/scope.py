"""Names in CQL queries: which columns the sources offer, and what a column name refers to."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Table:
    """A declared stream, static relation or view."""

    name: str
    columns: tuple[str, ...]
    is_stream: bool
    time: str = ""
    """The column that is the time of a row, rather than an argument of its atom."""
    is_set: bool = True
    """Whether SQL would find no two equal rows in it, given streams and relations without such rows."""

    @property
    def arguments(self) -> tuple[str, ...]:
        """The columns that are arguments of the atom of a row."""
        return tuple(column for column in self.columns if column != self.time)


@dataclass
class SelectScope:
    """The sources of one SELECT, inside those of the enclosing one. Names are compared without case."""

    parent: SelectScope | None = None
    sources: dict[str, dict[str, str]] = field(default_factory=dict)
    """Alias to column name to qualified column."""
    bags: list[str] = field(default_factory=list)
    """Sources that may have equal rows in SQL."""
    computed: dict[str, str] = field(default_factory=dict)
    """Names defined by an equation of WHERE, as `TY = TRAM.T + PLAN.D`."""

    def add(self, alias: str, source: dict[str, str]) -> None:
        self.sources[alias.lower()] = {name.lower(): column for name, column in source.items()}

    def find(self, name: str, alias: str = "") -> list[str]:
        """The qualified columns that the name can mean, those of the innermost scope that knows it."""
        name, alias = name.lower(), alias.lower()
        if alias:
            found = [self.sources[alias][name]] if name in self.sources.get(alias, {}) else []
        else:
            found = [source[name] for source in self.sources.values() if name in source]
            found += [self.computed[name]] if name in self.computed else []
        if found or self.parent is None:
            return found
        return self.parent.find(name, alias)

    def all_columns(self, alias: str = "") -> list[tuple[str, str]]:
        """Name and qualified column of everything `*` or `alias.*` stands for."""
        chosen = [self.sources.get(alias.lower(), {})] if alias else list(self.sources.values())
        return [(name, column) for source in chosen for name, column in source.items()]
