"""
Why did this node get its label?
================================

Train on a graph that the package makes, and ask for the motif instances that decided one node.
"""

import infomotif as im
from infomotif.training import random_split

graph = im.load_dataset("roles")
split = random_split(graph.y, 0.05, seed=0)
model = im.InfoMotif(im.GCN(hidden=64), preset="joint", training=im.Training(epochs=40), random_state=0, progress=False)
model.fit(graph, split.train, split.val)
print(f"test accuracy {100 * model.score(nodes=split.test):.1f} % (1 split)")

# %%
# The map shows the nodes as the model sees them: nearby nodes look alike to it.

model.plot_map()

# %%
# An explanation names the instances that count most, the attributes that their members share, and distant nodes that
# play the same role.

why = model.explain("11", graph)
why.plot()

# %%
# In text:

print(why)
