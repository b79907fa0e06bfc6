SELECT n, auction, bidder, price * 0.908, extra, time FROM bid
