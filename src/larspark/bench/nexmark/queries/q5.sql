WITH counted AS (
    SELECT auction, COUNT(*) AS bids FROM bid WHERE time >= $now - 10000 AND time < $now GROUP BY auction
)
SELECT auction, bids FROM counted WHERE bids >= (SELECT MAX(bids) FROM counted)
