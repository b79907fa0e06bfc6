SELECT id, item, seller, category, n, bidder, price FROM (
    SELECT a.id, a.item, a.seller, a.category, b.n, b.bidder, b.price,
           ROW_NUMBER() OVER (PARTITION BY a.id ORDER BY b.price DESC, b.ts ASC) AS place
    FROM auction a JOIN bid b ON a.id = b.auction
    WHERE b.ts BETWEEN a.ts AND TO_TIMESTAMP_LTZ(a.expires, 3)
) WHERE place <= 1
