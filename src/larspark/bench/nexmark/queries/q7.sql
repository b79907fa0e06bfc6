SELECT n, auction, price, bidder, extra FROM bid
WHERE time >= $now - 10000 AND time < $now
  AND price = (SELECT MAX(price) FROM bid WHERE time >= $now - 10000 AND time < $now)
