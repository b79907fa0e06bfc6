"""Java archives that a session needs beside Spark's own, such as the JDBC driver of a database."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from larspark.diagnostics import Diagnostic, Rejected

KNOWN = {"jdbc:postgresql:": Path("/usr/share/java/postgresql.jar")}
"""Where Debian's packages put drivers, by the beginning of addresses."""


def jar_settings(jars: Iterable[str], addresses: Iterable[str]) -> dict[str, str]:
    """The settings of a session with these archives, and with the drivers for these addresses that are found."""
    for one in jars:
        if not Path(one).is_file():
            raise Rejected([Diagnostic("E406", f"There is no file `{one}`.", "Check the names behind `--jars`.")])
    given = [str(Path(one).resolve()) for one in jars]
    if not given:
        asked = tuple(addresses)
        found = {jar for start, jar in KNOWN.items() for address in asked if address.startswith(start)}
        given = [str(jar) for jar in sorted(found) if jar.exists()]
    if not given:
        return {}
    return {"spark.jars": ",".join(given), "spark.driver.extraClassPath": os.pathsep.join(given)}
