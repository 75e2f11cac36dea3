"""Mutations of the source, and the tests that notice them; ``python -m tests.mutations --help``."""
