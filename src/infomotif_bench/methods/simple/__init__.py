"""Simple alternatives that a user would try first: regressions, trees, label spreading."""
