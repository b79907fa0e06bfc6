SELECT b.n, b.auction, b.bidder, b.price, s.value, b.time FROM bid b JOIN side s ON s.key = b.auction % 10000
