"""Plain LARS as answer set programs, solved by clingo."""
