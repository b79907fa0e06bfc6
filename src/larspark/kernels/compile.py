"""A process that compiles kernels: their names come in line by line, and go out again when they are done."""

from __future__ import annotations

import gc
import sys

from larspark.kernels import shortcuts
from larspark.kernels.catalogue import kernel_named
from larspark.kernels.signatures import signatures


def main() -> None:
    gc.disable()  # a tenth of the time, and the process ends soon
    shortcuts.take_all()
    for line in sys.stdin:
        kernel = kernel_named(line.strip())
        for signature in signatures(kernel.py_func):
            kernel.compile(signature)
        print(line, end="", flush=True)


if __name__ == "__main__":
    main()
