"""What all doors share: the prepared program, admission, recordings and their replay, manifests, findings."""
