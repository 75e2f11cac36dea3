"""
Air traffic: motif counts as inputs
===================================

Airports have no attributes, and their classes are roles: how busy an airport is. There, motif counts and other
structural encodings as plain inputs help a GNN more than any regulariser.
"""

import matplotlib.pyplot as plt
import numpy as np

import infomotif as im
from infomotif.training import random_split

graph = im.load_dataset("usa")
INPUTS = {
    "attributes": "one-hot identity",
    "counts": "degree and motif counts",
    "centralities+quantiles": "their quantiles,\nwith centralities",
}
SPLITS = 3
accuracy = {name: [] for name in INPUTS}
for seed in range(SPLITS):
    split = random_split(graph.y, 0.2, seed=seed)
    for name in INPUTS:
        model = im.InfoMotif("gcn", preset="base", inputs=name, random_state=seed, progress=False)
        model.fit(graph, split.train, split.val)
        accuracy[name].append(100 * model.score(nodes=split.test))

# %%
# A GCN with three kinds of inputs; 20 % of the airports are labelled. Dots are splits, lines their means.

figure, axis = plt.subplots(figsize=(7, 4), layout="constrained")
for place, name in enumerate(INPUTS):
    axis.hlines(np.mean(accuracy[name]), place - 0.2, place + 0.2, lw=3)
    axis.plot([place] * SPLITS, accuracy[name], "o", color="C0", alpha=0.6)
axis.set_xticks(range(len(INPUTS)), INPUTS.values())
axis.set_ylabel(f"test accuracy, % ({SPLITS} splits)")
axis.set_xlim(-0.6, len(INPUTS) - 0.4)

# %%
# What the encodings see: two of the motif counts, one dot per airport, coloured by class.

motifs = im.MotifIndex(graph)
figure, axis = plt.subplots(figsize=(7, 4.5), layout="constrained")
for label, name in enumerate(graph.class_names):
    axis.loglog(*(1 + motifs.counts[graph.y == label]).T, ".", ms=5, alpha=0.7, label=f"class {name}")
axis.set_xlabel("1 + wedges (M6) of the airport")
axis.set_ylabel("1 + triangles (M7)")
axis.legend(frameon=False)
