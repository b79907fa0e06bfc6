SELECT seller, AVG(winning) FROM (
    SELECT seller, winning, ROW_NUMBER() OVER (PARTITION BY seller ORDER BY expires DESC, id DESC) AS place FROM (
        SELECT a.id, a.seller, a.expires, MAX(b.price) AS winning
        FROM auction a JOIN bid b ON a.id = b.auction
        WHERE b.time BETWEEN a.time AND a.expires AND b.time <= $now AND a.expires < $now
        GROUP BY a.id, a.seller, a.expires
    ) AS won
) AS ranked
WHERE place <= 10
GROUP BY seller
