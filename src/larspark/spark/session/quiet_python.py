"""The Python that Spark starts on this machine, without what its stateful operators say about themselves.

When a stream starts, the worker that asks each operator for its state prints several lines to its standard output,
which Spark passes on to ours. What goes wrong comes another way, and stays.
"""

from __future__ import annotations

import sys
from pathlib import Path

from larspark.spark.session.wrappers import places, put_script

WRAPPER = """\
#!/bin/sh
# Passes everything on to the real Python; one of Spark's workers without its standard output.
case "$*" in
    *transform_with_state_driver_worker*) exec "{python}" "$@" >/dev/null ;;
esac
exec "{python}" "$@"
"""


def quiet_python() -> Path:
    """The wrapper, or the interpreter itself where none can be made."""
    for place in places():
        path = place / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"
        try:
            put_script(path, WRAPPER.format(python=sys.executable))
        except OSError:
            continue  # read-only install, or no home directory
        return path
    return Path(sys.executable)
