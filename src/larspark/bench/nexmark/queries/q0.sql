SELECT n, auction, bidder, price, extra, time FROM bid
