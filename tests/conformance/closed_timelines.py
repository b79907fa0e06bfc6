"""Cases that only the judge runs."""

from __future__ import annotations

CLOSED_TIMELINE = {
    "thesis-def17-head-diamond": "the head speaks about every point of the timeline, which is open in a reasoner",
    "thesis-def17-head-box": "the head speaks about every point of the timeline, which is open in a reasoner",
    "thesis-def18-head-outside-ground": "the head lies outside the closed timeline, an open one has no such point",
    "thesis-s3.2.3-rewrite-ground": "`always` over the whole timeline, which is open in a reasoner",
    "thesis-s3.2.3-rewrite-ground-fixed": "`always` over the whole timeline, which is open in a reasoner",
    "thesis-s3.2.3-ext-head-ok": "declares a head predicate extensional, which a program cannot say",
    "thesis-s4.5-pull-hit": "data arrives after the evaluation time, which a reasoner has not seen yet",
    "thesis-s3.2.3-ext-head-none": "declares a head predicate extensional, which a program cannot say",
}
"""Cases about closed timelines and declarations that a running program does not have; the judge runs them."""
