SELECT n, auction, bidder, price, place FROM (
    SELECT *, ROW_NUMBER() OVER (PARTITION BY auction ORDER BY price DESC, n ASC) AS place FROM bid
) WHERE place <= 10
