SELECT n, auction, bidder, price, extra FROM (
    SELECT *, ROW_NUMBER() OVER (PARTITION BY auction, bidder ORDER BY time DESC, n DESC) AS place
    FROM bid WHERE time <= $now
) AS ranked
WHERE place = 1
