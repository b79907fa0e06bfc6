"""Rules about the arrivals of the present alone, run over columns: nothing is stored, texts stay where they are."""
