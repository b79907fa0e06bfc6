SELECT n, auction, bidder, price, extra, ts FROM bid
