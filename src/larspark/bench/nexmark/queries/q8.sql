SELECT DISTINCT p.id, p.name FROM person p JOIN auction a ON a.seller = p.id
WHERE p.time >= $now - 10000 AND p.time < $now AND a.time >= $now - 10000 AND a.time < $now
