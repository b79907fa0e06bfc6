SELECT auction, DATE_FORMAT(ts, 'yyyy-MM-dd'), COUNT(*), COUNT(*) FILTER (WHERE price < 10000),
       COUNT(*) FILTER (WHERE price >= 10000 AND price < 1000000), COUNT(*) FILTER (WHERE price >= 1000000),
       MIN(price), MAX(price), AVG(CAST(price AS DOUBLE)), SUM(price)
FROM bid GROUP BY auction, DATE_FORMAT(ts, 'yyyy-MM-dd')
