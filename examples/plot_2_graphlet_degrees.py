"""
Graphlet degree vectors and roles
=================================

A graphlet degree vector counts, for one node, in which orbits of which graphlets it takes part. Nodes with similar
vectors play similar roles, wherever they are. Here: airports of the USA, whose classes are quarters of their activity.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import KMeans

import infomotif as im

graph = im.load_dataset("usa")
index = im.MotifIndex(graph, ["undirected", "graphlets4"])
print(len(index.orbit_names), "orbits:", ", ".join(index.orbit_names))

# %%
# Counts grow with the degree over five orders of magnitude, so logarithms are compared.

vectors = np.log1p(np.column_stack([graph.degrees, index.orbit_counts]))
roles = KMeans(4, n_init=10, random_state=0).fit_predict(vectors)
order = np.argsort([vectors[roles == role, 0].mean() for role in range(4)])
roles = np.argsort(order)[roles]

figure, axis = plt.subplots(figsize=(8, 4.5), layout="constrained")
for role in range(4):
    axis.plot(vectors[roles == role].mean(axis=0), marker="o", ms=4, label=f"role {role + 1}")
names = ["degree", *index.orbit_names]
axis.set_xticks(range(len(names)), names, rotation=90)
axis.set_ylabel("mean of log(1 + count)")
axis.legend(frameon=False)

# %%
# The roles were found without a label. How do they relate to the airports' activity?

table = np.zeros((4, 4), int)
np.add.at(table, (roles, graph.y), 1)

figure, axis = plt.subplots(figsize=(5, 4), layout="constrained")
axis.imshow(table, cmap="Blues")
for (row, column), count in np.ndenumerate(table):
    axis.text(column, row, count, ha="center", va="center", color="white" if count > 150 else "black")
axis.set_xticks(range(4), graph.class_names)
axis.set_yticks(range(4), [f"role {role + 1}" for role in range(4)])
axis.set_xlabel("class of the airport")

# %%
# Busy airports (class 0) stand out by their orbits; the quieter half is hard to separate by structure alone.
