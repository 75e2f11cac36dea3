"""``infomotif datasets``."""
