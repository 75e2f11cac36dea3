"""Messages along edges: adjacency, sampled blocks, sparse products, dropout."""
