"""What someone would write instead of `larspark eval hot.lars --stream FILE`: JSON, a deque, counters.

A program of its own, run as `python hot_script.py FILE WINDOW LEAST`: it prints at every time point which X had more
than LEAST different Y in atoms a(X,Y) of the last WINDOW time points.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict, deque


def main(path: str, window: int, least: int) -> None:
    recent: deque[tuple[int, int, int]] = deque()
    counts: defaultdict[int, Counter[int]] = defaultdict(Counter)

    def tell(time: int) -> None:
        while recent and recent[0][0] < time - window:
            _, x, y = recent.popleft()
            counts[x][y] -= 1
            if not counts[x][y]:
                del counts[x][y]
        hot = sorted(x for x, ys in counts.items() if len(ys) > least)
        print(f"{time}:", ", ".join(f"hot({x})" for x in hot) or "-")

    current = None
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            time = record["time"]
            for passed in range(time if current is None else current, time):
                tell(passed)
            current = time
            x, y = map(int, record["atom"][2:-1].split(","))
            recent.append((time, x, y))
            counts[x][y] += 1
    if current is not None:
        tell(current)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
