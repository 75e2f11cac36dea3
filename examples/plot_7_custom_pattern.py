"""
A custom pattern
================

Any connected pattern of three or four nodes can be counted, listed and drawn. Here, papers that are cited together:
two papers that both cite the same two others (the *bi-fan*).
"""

import numpy as np

import infomotif as im

graph = im.load_dataset("cora")
bifan = "a->c, a->d, b->c, b->d"
index = im.MotifIndex(graph, [bifan, "M4"])
print(index.totals)

# %%
# Orbits distinguish the two positions: papers that cite (a, b) and papers that are cited together (c, d).

print(index.orbit_names)
top = np.argsort(index.orbit_counts[:, 1])[-3:][::-1]
for paper in top:
    print(f"paper {graph.names[paper]}: cited together with another in {index.orbit_counts[paper, 1]} bi-fans")

# %%
# One instance, shaded in the neighbourhood of its paper:

paper = int(np.flatnonzero(index.counts[:, 0] == 3)[0])
index.plot_instance(paper, bifan)

# %%
# Two papers that share many instances belong together. The motif adjacency matrix counts them, for clustering or as
# edge weights:

adjacency = index.adjacency(bifan)
print(adjacency.shape, adjacency.nnz, "pairs share a bi-fan")
