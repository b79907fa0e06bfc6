SELECT n, auction, bidder, price, channel,
       SPLIT_PART(url, '/', 4), SPLIT_PART(url, '/', 5), SPLIT_PART(url, '/', 6), time
FROM bid
