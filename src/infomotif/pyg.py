"""Transforms and explainers for PyG; needs PyTorch Geometric (``pip install 'infomotif[pyg]'``)."""

from __future__ import annotations

from infomotif._core.lazy import TYPE_CHECKING, lazy_names

_HOME = {
    **{name: "infomotif.adapters.pyg_transforms" for name in ("AddMotifCounts", "AddOrbitCounts")},
    **{name: "infomotif.adapters.pyg_explainer" for name in ("MaskableModel", "MotifExplainer", "dense_input")},
    "MotifEdgeWeight": "infomotif.adapters.pyg_edge_weight",
    "MotifOcclusion": "infomotif.adapters.pyg_occlusion",
}

__all__ = [
    "AddMotifCounts",
    "AddOrbitCounts",
    "MaskableModel",
    "MotifEdgeWeight",
    "MotifExplainer",
    "MotifOcclusion",
    "dense_input",
]

__getattr__, __dir__ = lazy_names(__name__, _HOME)

if TYPE_CHECKING:
    from infomotif.adapters.pyg_edge_weight import MotifEdgeWeight as MotifEdgeWeight
    from infomotif.adapters.pyg_explainer import MaskableModel as MaskableModel
    from infomotif.adapters.pyg_explainer import MotifExplainer as MotifExplainer
    from infomotif.adapters.pyg_explainer import dense_input as dense_input
    from infomotif.adapters.pyg_occlusion import MotifOcclusion as MotifOcclusion
    from infomotif.adapters.pyg_transforms import AddMotifCounts as AddMotifCounts
    from infomotif.adapters.pyg_transforms import AddOrbitCounts as AddOrbitCounts
