"""Graph neural networks that use structure or motifs."""
