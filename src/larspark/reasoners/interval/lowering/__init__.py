"""Rules become core rules over relations: windows, aggregates and the evaluation time are lowered here."""
