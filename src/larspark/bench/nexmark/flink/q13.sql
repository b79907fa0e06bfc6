SELECT b.n, b.auction, b.bidder, b.price, s.v FROM bid b JOIN side s ON MOD(b.auction, 10000) = s.k
