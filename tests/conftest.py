"""Random tests draw new examples on every run; with CI set they repeat the same ones, so that red means a change."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, print_blob=True)
if os.environ.get("CI"):
    settings.load_profile("repeatable")
