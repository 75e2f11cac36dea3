"""``infomotif motifs``."""
