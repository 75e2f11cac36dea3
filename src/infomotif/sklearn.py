"""Estimators for scikit-learn's tools; needs scikit-learn (``pip install 'infomotif[learn]'``)."""

from __future__ import annotations

from infomotif._core.lazy import TYPE_CHECKING, lazy_names

_HOME = {name: "infomotif.adapters.sklearn_estimators" for name in ("MotifTransformer", "NodeClassifier")}

__all__ = ["MotifTransformer", "NodeClassifier"]

__getattr__, __dir__ = lazy_names(__name__, _HOME)

if TYPE_CHECKING:
    from infomotif.adapters.sklearn_estimators import MotifTransformer as MotifTransformer
    from infomotif.adapters.sklearn_estimators import NodeClassifier as NodeClassifier
