SELECT DISTINCT p.id, p.name, (p.time DIV 10000 + 1) * 10000
FROM person p JOIN auction a ON a.seller = p.id AND a.time DIV 10000 = p.time DIV 10000
