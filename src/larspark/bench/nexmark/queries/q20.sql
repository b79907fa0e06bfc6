SELECT b.n, b.auction, b.bidder, b.price, a.item, a.seller
FROM bid b JOIN auction a ON a.id = b.auction
WHERE a.category = 10 AND b.time <= $now AND a.time <= $now
