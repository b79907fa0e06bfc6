"""Running a program: sessions, clocks, sources, sinks."""
