-- Bids of every ten seconds for each item, the best of the last ten in steps of five, and how long someone went on bidding.
CREATE TABLE bid (item STRING, bidder STRING, price INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND);

CREATE VIEW per_item AS
SELECT window_start, window_end, item, COUNT(*) AS bids, SUM(price) AS total
FROM TABLE(TUMBLE(TABLE bid, DESCRIPTOR(ts), INTERVAL '10' SECONDS))
GROUP BY window_start, window_end, item;

CREATE VIEW best AS
SELECT window.end, MAX(price) AS price
FROM bid
GROUP BY window(ts, '10 seconds', '5 seconds');

CREATE VIEW visit AS
SELECT bidder, window_start, window_end, COUNT(*) AS bids
FROM TABLE(SESSION(TABLE bid PARTITION BY bidder, DESCRIPTOR(ts), INTERVAL '4' SECONDS))
GROUP BY bidder, window_start, window_end;
