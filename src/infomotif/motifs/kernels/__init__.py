"""Compiled loops of the motif engine."""
