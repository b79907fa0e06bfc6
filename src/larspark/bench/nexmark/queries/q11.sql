WITH gaps AS (
    SELECT bidder, time, time - LAG(time) OVER (PARTITION BY bidder ORDER BY time, n) AS gap FROM bid WHERE time <= $now
),
numbered AS (
    SELECT bidder, time, SUM(CASE WHEN gap < 10000 THEN 0 ELSE 1 END) OVER (PARTITION BY bidder ORDER BY time RANGE UNBOUNDED PRECEDING) AS session
    FROM gaps
),
sessions AS (
    SELECT bidder, session, MIN(time) AS begin, COUNT(*) AS bids FROM numbered GROUP BY bidder, session
)
SELECT bidder, begin, bids FROM sessions s
WHERE session = (SELECT MAX(session) FROM sessions t WHERE t.bidder = s.bidder)
