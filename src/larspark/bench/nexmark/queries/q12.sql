SELECT bidder, COUNT(*) FROM bid WHERE time >= $now - 10000 AND time < $now GROUP BY bidder
