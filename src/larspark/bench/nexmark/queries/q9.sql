SELECT id, item, seller, category, n, bidder, price FROM (
    SELECT a.id, a.item, a.seller, a.category, b.n, b.bidder, b.price,
           ROW_NUMBER() OVER (PARTITION BY a.id ORDER BY b.price DESC, b.time, b.n) AS place
    FROM auction a JOIN bid b ON a.id = b.auction
    WHERE b.time BETWEEN a.time AND a.expires AND b.time <= $now
) AS ranked
WHERE place = 1
