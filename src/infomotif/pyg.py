"""Transforms and explainers for PyG; needs PyTorch Geometric (``pip install 'infomotif[pyg]'``)."""

from __future__ import annotations

from infomotif._core.lazy import TYPE_CHECKING, lazy_names

_HOME = {
    **{name: "infomotif.adapters.pyg_transforms" for name in ("AddMotifCounts", "AddOrbitCounts")},
    **{name: "infomotif.adapters.pyg_explainer" for name in ("MaskableModel", "MotifExplainer", "dense_input")},
}

__all__ = ["AddMotifCounts", "AddOrbitCounts", "MaskableModel", "MotifExplainer", "dense_input"]

__getattr__, __dir__ = lazy_names(__name__, _HOME)

if TYPE_CHECKING:
    from infomotif.adapters.pyg_explainer import MaskableModel as MaskableModel
    from infomotif.adapters.pyg_explainer import MotifExplainer as MotifExplainer
    from infomotif.adapters.pyg_explainer import dense_input as dense_input
    from infomotif.adapters.pyg_transforms import AddMotifCounts as AddMotifCounts
    from infomotif.adapters.pyg_transforms import AddOrbitCounts as AddOrbitCounts
