SELECT bidder, COUNT(*), (time DIV 10000 + 1) * 10000 FROM bid GROUP BY bidder, time DIV 10000
