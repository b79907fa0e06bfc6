SELECT n, auction, price, time FROM bid WHERE auction % 123 = 0
