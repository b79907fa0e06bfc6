"""How kernels call each other: small ones are linked into their callers, large ones are called where they lie.

numba links everything that a function calls into it and optimises it again there. LLVM inlines only what is small, so
for large kernels this gives the same code, made once more for each of their callers, and theirs.
"""

from __future__ import annotations

from typing import Any

from llvmlite import binding as llvm

LARGE = 100
"""Lines of intermediate code, from which on a kernel is called where it lies."""

_files: dict[str, str] = {}
"""By its symbol the file of every kernel that lies apart and that this process knows."""


def set_apart(library: Any, symbol: str, file: str) -> bool:
    """Let callers that are compiled from now on have the symbol of a kernel instead of its code, if that is large."""
    shared = library._get_module_for_linking()
    if str(shared.get_function(symbol)).count("\n") < LARGE:
        return False
    library._shared_module = llvm.parse_assembly(f'target triple = "{shared.triple}"')
    know(symbol, file)
    return True


def know(symbol: str, file: str) -> None:
    _files[symbol] = file


def called(library: Any) -> tuple[tuple[str, str], ...]:
    """File and symbol of the kernels that this code calls and does not contain."""
    functions = library._final_module.functions
    return tuple((_files[one.name], one.name) for one in functions if one.is_declaration and one.name in _files)
