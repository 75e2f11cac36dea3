"""Damaged and hostile files of every format, by a seeded mutator and by hypothesis; ``python -m tests.fuzz --help``."""
