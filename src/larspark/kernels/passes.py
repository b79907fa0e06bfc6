"""The passes by which numba compiles a kernel: those of its own that plain code over arrays and numbers needs.

Left out are those for closures, contexts, raised messages, literal containers and expressions over whole arrays.
"""

from __future__ import annotations

from typing import Any

from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import PassManager
from numba.core.typed_passes import (
    AnnotateTypes,
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.untyped_passes import (
    FixupArgs,
    GenericRewrites,
    InlineInlinables,
    IRProcessing,
    ReconstructSSA,
    TranslateByteCode,
)

PASSES = (
    (TranslateByteCode, "the code of the function"),
    (FixupArgs, "its parameters"),
    (IRProcessing, "its variables"),
    (GenericRewrites, "constant places in tuples"),
    (InlineInlinables, "what is inlined"),
    (ReconstructSSA, "a name for each value"),
    (NopythonTypeInference, "types"),
    (PreLowerStripPhis, "values that meet"),
    (IRLegalization, "when variables end"),
    (AnnotateTypes, "the types that were found"),
    (NativeLowering, "machine code"),
    (NoPythonBackend, "what can be called"),
)


class KernelCompiler(CompilerBase):
    """To numba the `pipeline_class` of a function."""

    def define_pipelines(self) -> list[Any]:
        manager: Any = PassManager("kernel")  # type: ignore[no-untyped-call]
        for one, what in PASSES:
            manager.add_pass(one, what)
        manager.finalize()
        return [manager]
