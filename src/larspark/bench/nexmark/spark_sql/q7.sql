WITH highest AS (
    SELECT MAX(price) AS price, time DIV 10000 AS span FROM bid GROUP BY time DIV 10000
)
SELECT b.n, b.auction, b.price, b.bidder, b.extra, (h.span + 1) * 10000
FROM bid b JOIN highest h ON h.price = b.price AND h.span = b.time DIV 10000
