"""From validity to answers: what holds now, and since when and until when."""
