"""A real PostgreSQL for tests, with its JDBC driver: from the machine, or from Debian's packages."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from larspark.spark.session.jars import KNOWN
from support.brokers import free_port

PATIENCE = 60
JAR = KNOWN["jdbc:postgresql:"]
USER = "larspark"


def find_postgres() -> Path:
    """The folder of its programs; installed when this is a Debian and we may; otherwise the test is skipped."""
    if (_programs() is None or not JAR.exists()) and shutil.which("apt-get") and os.geteuid() == 0:
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
        packages = ["postgresql", "libpostgresql-jdbc-java"]
        for words in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
            subprocess.run(["apt-get", "-qq", *words], env=quiet, capture_output=True, check=False, timeout=300)
    found = _programs()
    if found is None or not JAR.exists():
        pytest.skip(
            "postgresql and libpostgresql-jdbc-java are not installed, and cannot be from Debian's packages here"
        )
    return found


def _programs() -> Path | None:
    return next((one.parent for one in sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))), None)


class Postgres:
    """A server on a free port, which nobody has to ask for a password."""

    def __init__(self) -> None:
        self._programs = find_postgres()
        self._folder = Path(tempfile.mkdtemp(prefix="larspark-postgres-"))
        self.port = free_port()
        owner = "postgres" if os.geteuid() == 0 else None  # it does not run as root
        if owner:
            known = pwd.getpwnam(owner)
            os.chown(self._folder, known.pw_uid, known.pw_gid)
        self._owner = {"user": owner, "cwd": self._folder} if owner else {}
        words = ["initdb", "-D", str(self._folder / "data"), "-A", "trust", "-U", USER, "--no-sync"]
        subprocess.run([self._programs / words[0], *words[1:]], check=True, capture_output=True, **self._owner)
        self._process = subprocess.Popen(
            [self._programs / "postgres", "-D", self._folder / "data", "-p", str(self.port), "-k", self._folder, "-F"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **self._owner,
        )
        deadline = time.monotonic() + PATIENCE
        while self._psql("SELECT 1").returncode:
            assert self._process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.1)

    @property
    def url(self) -> str:
        return f"jdbc:postgresql://127.0.0.1:{self.port}/postgres?user={USER}"

    def sql(self, text: str) -> list[tuple[str, ...]]:
        """Run statements; the rows of the last one, as texts."""
        done = self._psql(text)
        assert done.returncode == 0, done.stderr
        return [tuple(line.split("|")) for line in done.stdout.splitlines()]

    def _psql(self, text: str) -> subprocess.CompletedProcess[str]:
        address = ["-h", "127.0.0.1", "-p", str(self.port), "-U", USER, "-d", "postgres"]
        words = [self._programs / "psql", "-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", *address, "-c", text]
        return subprocess.run(words, capture_output=True, text=True, check=False)

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(PATIENCE)
        shutil.rmtree(self._folder, ignore_errors=True)
