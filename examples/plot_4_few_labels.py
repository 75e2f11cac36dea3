"""
Few labels on Cora
==================

Three or five labelled papers per class, and as many for validation: does motif regularisation help a GCN? This page
takes three splits, to stay short; `the results <../results/few-labels.html>`_ have ten and more methods.
"""

import matplotlib.pyplot as plt
import numpy as np

import infomotif as im
from infomotif.training import per_class_split

graph = im.load_dataset("cora")
motifs = im.MotifIndex(graph)
PRESETS = {"base": "GCN", "joint": "InfoMotif-GCN (joint)"}
LABELS, SPLITS = (3, 5), 3

accuracy = {preset: np.zeros((len(LABELS), SPLITS)) for preset in PRESETS}
for row, labels in enumerate(LABELS):
    for seed in range(SPLITS):
        split = per_class_split(graph.y, labels, val="train", seed=seed)
        for preset in PRESETS:
            model = im.InfoMotif(
                im.GCN(hidden=64),
                preset=preset,
                motifs=motifs,
                training=im.Training(epochs=50),
                random_state=seed,
                progress=False,
            )
            model.fit(graph, split.train, split.val)
            accuracy[preset][row, seed] = 100 * model.score(nodes=split.test)

# %%
# Both models get the same splits, epochs and width. Dots are splits, lines their means.

figure, axis = plt.subplots(figsize=(7, 4), layout="constrained")
for offset, (preset, name) in zip((-0.18, 0.18), PRESETS.items(), strict=True):
    where = np.arange(len(LABELS)) + offset
    colour = "C0" if preset == "base" else "C1"
    axis.hlines(accuracy[preset].mean(axis=1), where - 0.12, where + 0.12, lw=3, color=colour, label=name)
    axis.plot(np.repeat(where, SPLITS), accuracy[preset].ravel(), "o", color=colour, alpha=0.6)
axis.set_xticks(range(len(LABELS)), [f"{labels} labels per class" for labels in LABELS])
axis.set_ylabel(f"test accuracy, % ({SPLITS} splits)")
axis.set_xlim(-0.6, len(LABELS) - 0.4)
axis.legend(frameon=False, loc="upper left")

# %%
# The paired differences, split by split:

for row, labels in enumerate(LABELS):
    difference = accuracy["joint"][row] - accuracy["base"][row]
    print(f"{labels} labels per class: {difference.round(1)}, mean {difference.mean():+.1f} points")
