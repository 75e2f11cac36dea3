"""Coloured motifs: patterns that name types of nodes and edges, on the same engine as patterns that name none."""
