SELECT n, auction, bidder, 0.908 * price,
       CASE WHEN HOUR(ts) BETWEEN 8 AND 18 THEN 'dayTime'
            WHEN HOUR(ts) <= 6 OR HOUR(ts) >= 20 THEN 'nightTime' ELSE 'otherTime' END,
       extra, CHAR_LENGTH(extra) - CHAR_LENGTH(REPLACE(extra, 'c', ''))
FROM bid WHERE 0.908 * price > 1000000 AND 0.908 * price < 50000000
