"""The judge: LARS as it is defined, literally; every reasoner is compared with it."""
