"""Random graphs to compare motif counts with: null models by name."""

from infomotif.motifs.null_models.registry import DEFAULT_NULL, NULL_MODELS, NullModel, get_null_model, random_graph

__all__ = ["DEFAULT_NULL", "NULL_MODELS", "NullModel", "get_null_model", "random_graph"]
