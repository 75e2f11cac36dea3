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
print(triads)

# %%
# The census has one count per triad for the whole graph, and one per node: ``counts`` has one row per paper.

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
# The counts behind the picture:

result.to_frame()
