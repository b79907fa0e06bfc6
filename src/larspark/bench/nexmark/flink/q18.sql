SELECT n, auction, bidder, price, extra FROM (
    SELECT *, ROW_NUMBER() OVER (PARTITION BY bidder, auction ORDER BY ts DESC) AS place FROM bid
) WHERE place <= 1
