"""Sets of evaluation times as intervals: the algebra, and the compiled tables that carry it."""
