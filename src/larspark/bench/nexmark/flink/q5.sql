WITH counted AS (
    SELECT auction, COUNT(*) AS bids, window_start, window_end
    FROM TABLE(HOP(TABLE bid, DESCRIPTOR(ts), INTERVAL '2' SECOND, INTERVAL '10' SECOND))
    GROUP BY auction, window_start, window_end
), most AS (
    SELECT MAX(bids) AS bids, window_start, window_end FROM counted GROUP BY window_start, window_end
)
SELECT c.auction, c.bids FROM counted c JOIN most m
ON c.window_start = m.window_start AND c.window_end = m.window_end AND c.bids >= m.bids
