"""The tick engine: a program kept current while atoms arrive from live sources."""
