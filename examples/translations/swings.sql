-- A price falls for a while and then rises above where it began.
CREATE TABLE tick (stock STRING, price INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts);

CREATE VIEW swing AS
SELECT stock, begun, top, bottom, up
FROM tick MATCH_RECOGNIZE (
  PARTITION BY stock
  ORDER BY ts
  MEASURES A.ts AS begun, A.price AS top, LAST(B.price) AS bottom, C.price AS up
  ONE ROW PER MATCH
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (A B+ C) WITHIN INTERVAL '20' SECOND
  DEFINE B AS B.price < PREV(B.price), C AS C.price > PREV(C.price) AND C.price > A.price
);
