"""
Comparing networks by their graphlets
=====================================

Are two networks alike, whatever their sizes? The graphlet correlation distance (GCD-11; Yaveroğlu et al., 2014)
compares how the orbits of their nodes go together.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import rankdata

import infomotif as im

# The eleven orbits that are not redundant, in ORCA's order: degree, then orbits 2, 5, 7, 8, 10, 11, 6, 9, 4, 1.
ORBITS = ["M6:a", "path4:bc", "star4:a", "cycle4:abcd", "paw:bc", "paw:a", "star4:bcd", "paw:d", "path4:ad", "M6:bc"]


def correlations(graph):
    """Return the Spearman correlations of a graph's orbit counts [11, 11]."""
    index = im.MotifIndex(graph, ["undirected", "graphlets4"])
    columns = [index.orbit_names.index(name) for name in ORBITS]
    counts = np.column_stack([graph.degrees, index.orbit_counts[:, columns]])
    # One node that takes part in everything once, so that no column is constant.
    ranks = rankdata(np.vstack([counts, np.ones(11)]), axis=0)
    return np.corrcoef(ranks, rowvar=False)


def random_graph(nodes, edges, seed):
    """Return a graph with edges between nodes drawn at random."""
    ends = np.random.default_rng(seed).integers(0, nodes, (2, edges))
    return im.Graph.from_edges(*ends[:, ends[0] != ends[1]], num_nodes=nodes, directed=False)


graphs = {name: im.load_dataset(name) for name in ("brazil", "europe", "usa", "cora", "citeseer")}
graphs |= {f"random {seed}": random_graph(1000, 4000, seed) for seed in (1, 2)}
matrices = {name: correlations(graph) for name, graph in graphs.items()}

# %%
# The distance of two networks is that of the upper halves of their matrices.

upper = np.triu_indices(11, 1)
halves = np.stack([matrix[upper] for matrix in matrices.values()])
distance = np.linalg.norm(halves[:, None] - halves[None], axis=2)

figure, axis = plt.subplots(figsize=(6.5, 5.5), layout="constrained")
image = axis.imshow(distance, cmap="viridis_r")
axis.set_xticks(range(len(graphs)), graphs, rotation=45, ha="right")
axis.set_yticks(range(len(graphs)), graphs)
for (row, column), value in np.ndenumerate(distance):
    axis.text(column, row, f"{value:.1f}", ha="center", va="center", color="white" if value > 2.5 else "black")
figure.colorbar(image, label="graphlet correlation distance")

# %%
# Traffic in Europe and in the USA is alike, and so are the two citation networks. Brazil, with 131 airports, is near
# neither, and random graphs resemble only each other.
