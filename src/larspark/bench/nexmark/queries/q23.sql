SELECT b.n, b.bidder, b.price, p.name, a.id, a.item
FROM bid b JOIN person p ON p.id = b.bidder JOIN auction a ON a.seller = b.bidder
WHERE b.time <= $now AND p.time <= $now AND a.time <= $now
