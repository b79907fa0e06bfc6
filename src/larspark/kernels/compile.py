"""A process that compiles kernels: their names come in line by line, and go out again when they are done."""

from __future__ import annotations

import gc
import sys
from typing import Any

from numba.core.codegen import JITCodeLibrary

from larspark.kernels.catalogue import kernel_named
from larspark.kernels.signatures import signatures


def main() -> None:
    gc.disable()  # a tenth of the time, and the process ends soon
    JITCodeLibrary._optimize_functions = _leave  # type: ignore[method-assign]
    for line in sys.stdin:
        kernel = kernel_named(line.strip())
        for signature in signatures(kernel.py_func):
            kernel.compile(signature)
        print(line, end="", flush=True)


def _leave(library: Any, module: Any) -> None:
    """numba optimises each function, and then the module with all it calls; the second alone gives the same code."""
    module.data_layout = library._codegen._data_layout


if __name__ == "__main__":
    main()
