"""Live sources: sockets and MQTT, for whoever keeps the lines that come: `tick` in a queue, Spark in a journal."""
