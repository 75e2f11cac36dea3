"""What other libraries find InfoMotif through; each adapter needs the library that it is for."""

from typing import TYPE_CHECKING

from infomotif._core.lazy import lazy_names

_HOME = {
    "AddMotifCounts": "infomotif.adapters.pyg_transforms",
    "AddOrbitCounts": "infomotif.adapters.pyg_transforms",
    "MotifTransformer": "infomotif.adapters.sklearn_estimators",
    "NodeClassifier": "infomotif.adapters.sklearn_estimators",
    "MaskableModel": "infomotif.adapters.pyg_explainer",
    "MotifExplainer": "infomotif.adapters.pyg_explainer",
    "dense_input": "infomotif.adapters.pyg_explainer",
}

__getattr__, __dir__ = lazy_names(__name__, _HOME)

if TYPE_CHECKING:
    from infomotif.adapters.pyg_explainer import MaskableModel as MaskableModel
    from infomotif.adapters.pyg_explainer import MotifExplainer as MotifExplainer
    from infomotif.adapters.pyg_explainer import dense_input as dense_input
    from infomotif.adapters.pyg_transforms import AddMotifCounts as AddMotifCounts
    from infomotif.adapters.pyg_transforms import AddOrbitCounts as AddOrbitCounts
    from infomotif.adapters.sklearn_estimators import MotifTransformer as MotifTransformer
    from infomotif.adapters.sklearn_estimators import NodeClassifier as NodeClassifier
