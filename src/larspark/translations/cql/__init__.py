"""CQL, SQL over windows of streams: through relational algebra and Datalog to LARS (thesis sec. 4.3)."""
