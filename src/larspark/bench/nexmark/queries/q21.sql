SELECT n, auction, bidder, price, channel,
       CASE LOWER(channel) WHEN 'apple' THEN '0' WHEN 'google' THEN '1' WHEN 'facebook' THEN '2' WHEN 'baidu' THEN '3'
            ELSE SUBSTR(url, INSTR(url, '&channel_id=') + 12) END,
       time
FROM bid WHERE LOWER(channel) IN ('apple', 'google', 'facebook', 'baidu') OR INSTR(url, '&channel_id=') > 0
