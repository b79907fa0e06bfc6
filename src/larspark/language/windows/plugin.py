"""A window function supplied in Python under a name; it has no spelling in the language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from larspark.language.values import Value, show_value
from larspark.language.windows.window import WindowNode

if TYPE_CHECKING:
    from larspark.language.tree import Atom


@dataclass(frozen=True)
class PluginWindow(WindowNode):
    """Nothing is known about it but its name and arguments."""

    name: str
    args: tuple[Value, ...] = ()

    def show(self, atom: Atom | None) -> str:
        return f"[{self.name}({','.join(map(show_value, self.args))})]"
