SELECT category, AVG(CAST(winning AS DOUBLE)) FROM (
    SELECT a.id, a.category, MAX(b.price) AS winning FROM auction a JOIN bid b ON a.id = b.auction
    WHERE b.ts BETWEEN a.ts AND TO_TIMESTAMP_LTZ(a.expires, 3)
    GROUP BY a.id, a.category
) GROUP BY category
