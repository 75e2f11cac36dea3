"""Tests of coloured motifs."""
