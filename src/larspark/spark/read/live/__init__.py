"""Live sources: sockets and MQTT, with a journal of what they have received."""
