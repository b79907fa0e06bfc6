WITH counted AS (
    SELECT auction, COUNT(*) AS bids, window.end AS closed
    FROM bid GROUP BY auction, window(timestamp_millis(time), '10 seconds', '2 seconds')
), most AS (
    SELECT closed, MAX(bids) AS bids FROM counted GROUP BY closed
)
SELECT c.auction, c.bids, unix_millis(c.closed) FROM counted c JOIN most m ON c.closed = m.closed AND c.bids >= m.bids
