"""
Nearest role twins
==================

Which two airports are far apart in the network and yet sit in it in the same way? Twins are nearest in the space of
graphlet degree vectors, and neither adjacent nor with a common neighbour.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.sparse.csgraph import shortest_path
from scipy.spatial.distance import cdist

import infomotif as im

graph = im.load_dataset("europe")
index = im.MotifIndex(graph, ["undirected", "graphlets4"])
vectors = np.log1p(np.column_stack([graph.degrees, index.orbit_counts]))

source, target = graph.edges()
adjacency = np.zeros((graph.num_nodes, graph.num_nodes))
adjacency[source, target] = adjacency[target, source] = 1
hops = shortest_path(adjacency, unweighted=True)

# %%
# Airports with three to eight connections are the interesting ones: below that, everyone is a twin of everyone.

distance = cdist(vectors, vectors)
middle = (graph.degrees >= 3) & (graph.degrees <= 8)
distance[~middle] = distance[:, ~middle] = np.inf
distance[hops < 3] = np.inf
first, second = np.unravel_index(np.argmin(distance), distance.shape)
print(f"airports {graph.names[first]} and {graph.names[second]}: {hops[first, second]:.0f} hops apart, "
      f"distance {distance[first, second]:.2f} in graphlet space")  # fmt: skip

# %%
# Their neighbourhoods, drawn next to each other:

figure, axes = plt.subplots(1, 2, figsize=(10, 5), layout="constrained")
for axis, node in zip(axes, (first, second), strict=True):
    graph.plot(node=int(node), ax=axis)
    axis.set_title(f"airport {graph.names[node]}")

# %%
# A trained model has twins too: ``infomotif explain RUN NODE`` lists nodes that are nearest in motif-level space,
# attributes included.
