SELECT n, auction, bidder, price, place FROM (
    SELECT *, ROW_NUMBER() OVER (PARTITION BY auction ORDER BY price DESC, n) AS place FROM bid WHERE time <= $now
) AS ranked
WHERE place <= 10
