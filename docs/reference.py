"""Writes ``docs/reference``, one page per public module: ``python docs/reference.py``.

The names are those that a module offers; what is said about them comes from their docstrings when the site is built.
"""

from __future__ import annotations

import inspect
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parent


class Page(NamedTuple):
    """A page of the reference.

    Attributes:
        module: The module that its names are imported from.
        title: The heading, after the name of the module.
        about: What it is for, in a sentence or two.
        only: The names to list, if not all; the others are plumbing that users need not know.
        also: Names of modules inside it that callers get to see, such as parts of a result.
    """

    module: str
    title: str
    about: str
    only: str = ""
    also: str = ""


PAGES = {
    "graph": Page("infomotif.graph", "the graph", "Every function takes or returns a `Graph`. It never changes."),
    "io": Page(
        "infomotif.io",
        "read and write graphs",
        "Readers, writers and graph stores. [File formats](../files.md) has the rules.",
        "read_csv read_graph read_edge_list read_graphml from_pyg from_networkx from_scipy "
        "from_igraph from_dataframe from_edge_index ReadOptions write_graph write_csv "
        "write_parquet write_edge_list write_graphml open_store save_store convert_csv is_store Schema Column",
    ),
    "datasets": Page("infomotif.datasets", "graphs by name", "The list of graphs is under [Datasets](../datasets.md)."),
    "motifs": Page(
        "infomotif.motifs",
        "the motif engine",
        "See [Count motifs](../guides/counting.md).",
        also="encodings.Columns",
    ),
    "model": Page(
        "infomotif.model",
        "the estimator",
        "Options are listed under [Settings](../settings.md).",
        also="prediction_sets.PredictionSets",
    ),
    "encoders": Page(
        "infomotif.nn",
        "encoders",
        "The base GNNs. Their options are under [Settings](../settings.md#encoders).",
        "EncoderConfig GCN GAT JKNet SAGE GIN MLP RGCN APPNP GCNII Custom Encoder",
    ),
    "nn": Page(
        "infomotif.nn",
        "the regulariser and its parts",
        "Plain PyTorch modules. See [Use with PyG](../guides/pyg.md).",
        "MotifRegularizer Gate InstanceEncoder MeanInstanceEncoder MaxInstanceEncoder Readout Set2Set "
        "BatchReadout Discriminator MotifAttention MotifNetwork "
        "NeighbourSampler Blocks",
    ),
    "training": Page(
        "infomotif.training",
        "configuration and splits",
        "The objects that hold the options, and how nodes are split.",
        "Training Regularizer PredictionMI Inputs Settings make_settings Split random_split per_class_split "
        "region_split fixed_split novelty_weights FeatureMap EpochRecord",
    ),
    "search": Page(
        "infomotif.search.options",
        "how `auto` searches",
        "See [What auto does](../concepts/auto.md).",
        "Search",
    ),
    "choice": Page(
        "infomotif.search.choice",
        "what `auto` chose",
        "See [What auto does](../concepts/auto.md).",
        "Choice ChosenMember Tried",
    ),
    "answer": Page(
        "infomotif.search.members",
        "what predicts",
        "One trained model, or the members of a mean.",
        "Answer Member Fitted",
    ),
    "explain": Page(
        "infomotif.explain",
        "explanations",
        "See [Explain a prediction](../guides/explaining.md).",
        also="node.Prediction node.MotifWeight node.Instance node.Member node.TwinNode node.LabelsInReach "
        "overview.ClassMotifs top_instances.TopInstance top_instances.ScoredInstances faithfulness.Curve",
    ),
    "doctor": Page("infomotif.doctor", "check the data", "What `infomotif doctor` prints, in Python."),
    "runs": Page(
        "infomotif.runs",
        "run folders",
        "What `infomotif train` does, in Python. [Run folder](../files.md#run-folder) lists the files.",
        "RunPlan train_run RunFolder RunResult TrainingOutcome open_run OpenRun summarise write_predictions",
        "result.TrainedGraph result.Comparison result.EpochMetrics",
    ),
    "neighbourhoods": Page(
        "infomotif.graph.neighbourhoods",
        "surroundings of nodes",
        "The report shows accuracy by these.",
        "label_fraction attribute_diversity hop_distances",
    ),
    "pyg": Page(
        "infomotif.pyg", "for PyTorch Geometric", "Transforms and explainers; see [Use with PyG](../guides/pyg.md)."
    ),
    "sklearn": Page(
        "infomotif.sklearn",
        "for scikit-learn",
        "Estimators over node numbers; see [other libraries](../guides/other-libraries.md#scikit-learn).",
    ),
    "errors": Page(
        "infomotif.errors", "errors", "Bad input raises `InputError`: place, finding, remedy.", "InputError"
    ),
}


def names_of(page: Page) -> list[str]:
    """Return the full names on a page: functions and classes, no constants."""
    module: Any = import_module(page.module)
    offered = page.only.split() or getattr(module, "__all__", None) or sorted(module._HOME)
    shown = [name for name in offered if callable(getattr(module, name))]
    return [f"{page.module}.{name}" for name in (*shown, *page.also.split())]


def entry(name: str) -> str:
    """Return the directive that documents a name; links back from its source go by the current module."""
    module, _, last = name.rpartition(".")
    thing = getattr(import_module(module), last)
    kind = "autoclass" if inspect.isclass(thing) else "autofunction"
    members = "\n   :members:" if kind == "autoclass" else ""
    # scikit-learn writes these methods, with links into its own pages.
    written = [member for member in dir(thing) if member.startswith("set_") and member.endswith("_request")]
    members += f"\n   :exclude-members: {', '.join(written)}" if written else ""
    return f".. py:currentmodule:: {module}\n\n.. {kind}:: {last}{members}"


def text_of(page: Page, first: bool) -> str:
    """Return a page; the first one about a module is the target of links to the module."""
    names = names_of(page)
    table = "\n".join(f"   {name.removeprefix(page.module + '.')}" for name in names)
    body = "\n\n".join(entry(name) for name in names)
    target = f"```{{py:module}} {page.module}\n```\n\n" if first else ""
    return (
        f"# {page.module}: {page.title}\n\n{target}{page.about}\n\n```{{eval-rst}}\n"
        f".. py:currentmodule:: {page.module}\n\n.. autosummary::\n   :nosignatures:\n\n{table}\n\n{body}\n```\n"
    )


def index() -> str:
    """Return the page that lists the others."""
    rows = "\n".join(f"| [`{page.module}`]({name}.md) | {page.title} | {page.about} |" for name, page in PAGES.items())
    entries = "\n".join(PAGES)
    return f"""# Python reference

One page per module. The most common names are in the package itself. `import infomotif as im` gives you `im.Graph`,
`im.read_csv` and the other readers, `im.load_dataset`, `im.make_roles`, `im.MotifIndex`, `im.InfoMotif`, `im.load`, the
encoders, the configuration objects and `im.InputError`.

| module | for | |
|---|---|---|
{rows}

```{{toctree}}
:hidden:

{entries}
```
"""


def pages() -> dict[str, str]:
    """Return what to write, by file name."""
    first = {page.module: name for name, page in reversed(PAGES.items())}
    texts = {f"{name}.md": text_of(page, first[page.module] == name) for name, page in PAGES.items()}
    return {f"reference/{name}": text for name, text in {"index.md": index(), **texts}.items()}


if __name__ == "__main__":
    for file, content in pages().items():
        (FOLDER / file).write_text(content, encoding="utf-8")
