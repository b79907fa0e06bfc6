"""Alerting and recording rules of Prometheus."""
