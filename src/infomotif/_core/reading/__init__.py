"""Reading input that may be hostile: caps, documents, and problems reported together."""
