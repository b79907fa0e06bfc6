SELECT n, auction, bidder, price * 0.908,
       CASE WHEN hour_of(time) BETWEEN 8 AND 18 THEN 'dayTime'
            WHEN hour_of(time) <= 6 OR hour_of(time) >= 20 THEN 'nightTime'
            ELSE 'otherTime' END,
       extra, LENGTH(extra) - LENGTH(REPLACE(extra, 'c', '')), time
FROM bid WHERE price * 0.908 > 1000000 AND price * 0.908 < 50000000
