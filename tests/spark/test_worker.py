"""What is loaded when the first task ends is left out of later garbage collections."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import gc
from larspark.spark.session.workers import keep_loaded

keep_loaded(1)
first = gc.get_freeze_count()
more = [[] for _ in range(1000)]
keep_loaded(2)
same_kind = gc.get_freeze_count()
keep_loaded("another kind")
print(first, same_kind, gc.get_freeze_count())
"""


def test_what_the_first_task_of_a_kind_loads_is_kept():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    first, same_kind, another = map(int, done.stdout.split())
    assert 1000 < first <= same_kind < first + 1000 <= another
