SELECT category, AVG(winning) FROM (
    SELECT a.id, a.category, MAX(b.price) AS winning
    FROM auction a JOIN bid b ON a.id = b.auction
    WHERE b.time BETWEEN a.time AND a.expires AND b.time <= $now
    GROUP BY a.id, a.category
) AS won
GROUP BY category
