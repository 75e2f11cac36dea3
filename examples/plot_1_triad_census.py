"""
Triad census of a real network, against chance
==============================================

How often does each of the 13 connected triads occur in the citation graph of Cora, and is that more than the degrees of
its papers explain?
"""

import infomotif as im
from infomotif.motifs import significance

graph = im.load_dataset("cora")
triads = im.MotifIndex(graph, "triads")
print({motif.name: int(total) for motif, total in zip(triads.motifs, triads.totals, strict=True)})

# %%
# The census has one count per triad for the whole graph, and one per node. `counts` is an array with one row per paper:

triads.counts[:3]

# %%
# Random graphs show what chance would give. Each keeps the citations that every paper makes and receives, and the
# pairs that cite each other; everything else is random.

result = significance(graph, "triads", samples=20, random_state=0)
result.plot()

# %%
# Feed-forward triangles (030T: a cites b and c, b cites c) are far more frequent than by chance: authors cite a paper
# and what it cites. Open triads are rarer, because the same edges form triangles instead.
#
# Colours and symbols aside, the figures are exact:

for name in ("030T", "021C"):
    column = [motif.name for motif in triads.motifs].index(name)
    expected = result.samples[:, column].mean()
    print(f"{name}: {int(result.totals[column])} found, {expected:.0f} expected, z = {result.z[column]:.1f}")
