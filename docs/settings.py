"""Writes ``docs/settings.md`` from the configuration objects: ``python docs/settings.py``."""

from pathlib import Path

from infomotif._core.validate import Config, fields_of, rows_of
from infomotif.nn.encoders import ENCODERS, EncoderConfig
from infomotif.search.options import Search
from infomotif.training.config import GROUPS, PredictionMI, Regularizer

FOLDER = Path(__file__).parent
OPENING = """# Settings

Every option of a model, by the configuration object that holds it. In Python, give the object to the estimator; on the
command line, use `--set`, with or without the group's name:

    im.InfoMotif(im.GAT(heads=4), training=im.Training(lr=0.001))
    infomotif train --encoder gat --set heads=4 --set training.lr=0.001

Options that are not given take the value of the preset: `joint` and `auto` set `schedule=joint` and `residual=yes`,
`fast` adds `mi_share=0.25` and `q=5` to them, `base` sets `regularize=no`, and `paper` sets `batch_size=256` and
`negatives=unseen`; `batch_size=none` trains over all nodes at once. `authors` sets `schedule=joint`, `mi_weight=7/3`,
`warmup_epochs=20`, `epochs=30`, `batch_size=512`, `readout=batch`, `normalize=row` and seven directed motifs
([why](concepts/fidelity.md#the-authors-code)). Configuration objects cannot be changed; `set_params(training__lr=0.1)`
and scikit-learn's search tools replace them.
"""
PREDICTION = """Instead of the motif regulariser, with any encoder: the mutual information between the predicted classes
of co-members joins the loss."""


def table(kind: type[Config], names: set[str] | None = None) -> str:
    """Return the options of a configuration object as a Markdown table."""
    lines = ["| option | default | allowed | what it does |", "|---|---|---|---|"]
    for name, default, allowed, text in rows_of(kind):
        if name != "module" and (names is None or name in names):
            flat = fields_of(kind)[name].flat
            shown = f"`{name}`" if flat == name else f"`{name}` (`--set {flat}`)"
            lines.append(f"| {shown} | {default} | {allowed} | {text} |")
    return "\n".join(lines)


def page() -> str:
    """Return the page."""
    parts = [OPENING]
    for group, kind in GROUPS.items():
        parts.append(f"## `{group}=im.{kind.__name__}(...)`\n\n{table(kind)}\n")
        if kind is Regularizer:
            parts.append(f"## `{group}=im.PredictionMI(...)`\n\n{PREDICTION}\n\n{table(PredictionMI)}\n")
    opening = 'For `preset="auto"`; `infomotif train` has `--budget`, `--single`, `--no-refit` and `--without motifs`.'
    parts.append(f"## `search=im.Search(...)`\n\n{opening}\n\n{table(Search)}\n")
    parts.append(f"## Encoders\n\nAll encoders have these options:\n\n{table(EncoderConfig)}\n")
    shared = fields_of(EncoderConfig)
    for name, kind in sorted(ENCODERS.items()):
        infos = fields_of(kind)
        special = {key for key, info in infos.items() if key not in shared or info.default != shared[key].default}
        summary = (kind.__doc__ or "").strip().splitlines()[0]
        body = f"\n\n{table(kind, special)}" if special else ""
        parts.append(f"### `{name}`: `im.{kind.__name__}(...)`\n\n{summary}{body}\n")
    return "\n".join(parts)


def pages() -> dict[str, str]:
    """Return what to write, by file name."""
    return {"settings.md": page()}


if __name__ == "__main__":
    for file, content in pages().items():
        (FOLDER / file).write_text(content, encoding="utf-8")
