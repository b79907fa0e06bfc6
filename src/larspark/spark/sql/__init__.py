"""Rules as a table function of SQL: `SELECT * FROM alarms(TABLE(readings) PARTITION BY machine ORDER BY time)`."""
