SELECT n, auction, bidder, price, extra, day_of(time), hour_of(time), minute_of(time), time FROM bid
