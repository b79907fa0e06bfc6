WITH gaps AS (
    SELECT n, bidder, time, time - LAG(time) OVER (PARTITION BY bidder ORDER BY time, n) AS gap
    FROM bid WHERE time <= $now
),
numbered AS (
    SELECT bidder, time,
           SUM(CASE WHEN gap <= 10000 THEN 0 ELSE 1 END) OVER (PARTITION BY bidder ORDER BY time, n) AS session
    FROM gaps
)
SELECT bidder, MIN(time), COUNT(*) FROM numbered GROUP BY bidder, session HAVING MAX(time) >= $now - 10000
