"""Exact counts of motifs per node and orbit."""
