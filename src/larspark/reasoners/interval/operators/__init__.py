"""What derives a relation where a core rule cannot: counted windows, held values, aggregates."""
