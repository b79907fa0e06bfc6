SELECT n, auction, bidder, 0.908 * price, extra, ts FROM bid
