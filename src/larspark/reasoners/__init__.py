"""All reasoners: they differ in what they accept and in how, never in the answer."""
