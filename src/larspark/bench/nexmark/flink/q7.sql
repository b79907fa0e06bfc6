SELECT b.n, b.auction, b.price, b.bidder, b.extra FROM bid b JOIN (
    SELECT MAX(price) AS price, window_end FROM TABLE(TUMBLE(TABLE bid, DESCRIPTOR(ts), INTERVAL '10' SECOND))
    GROUP BY window_start, window_end
) m ON b.price = m.price AND b.ts BETWEEN m.window_end - INTERVAL '10' SECOND AND m.window_end
