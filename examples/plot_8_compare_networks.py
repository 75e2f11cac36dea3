"""
Comparing networks by their graphlets
=====================================

Are two networks alike, whatever their sizes? The graphlet correlation distance (GCD-11; Yaveroğlu et al., 2014)
compares how the orbits of their nodes go together.
"""

import matplotlib.pyplot as plt

import infomotif as im
from infomotif.motifs import plot_correlations, random_graph

graphs = {name: im.load_dataset(name) for name in ("brazil", "europe", "usa", "cora", "citeseer")}
for seed in (1, 2):
    graphs[f"random {seed}"] = random_graph(graphs["usa"], seed, null="erdos-renyi")
comparison = im.compare_networks(graphs)
comparison.plot()

# %%
# Traffic in Europe and in the USA is alike, and so are the two citation networks. Brazil, with 131 airports, is near
# neither. Random graphs with as many edges as the USA are nearest to each other.
#
# The distance is that of two matrices of rank correlations between orbits. In the random graph, orbits 10 and 11 (the
# triangle of a paw) stand apart: being in a triangle depends less on the degree, orbit 0, than in air traffic.

figure, axes = plt.subplots(1, 2, figsize=(13, 5.4), layout="constrained")
for name, axis in zip(("usa", "random 1"), axes, strict=True):
    matrix = comparison.correlations[comparison.names.index(name)]
    plot_correlations(matrix, name=name, ax=axis)

# %%
# Which triads are more frequent than by chance? Profiles of directed networks can be compared whatever their sizes
# (Milo et al., 2004); error bars show what depends on the choice of the random graphs.

citations = {name: graphs[name] for name in ("cora", "citeseer")}
im.compare_networks(citations, samples=30).plot_profiles()
