"""Estimators over node numbers, for scikit-learn's pipelines and searches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin, clone
from sklearn.model_selection import train_test_split
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.graph.select import node_numbers
from infomotif.io.adapt import as_graph
from infomotif.motifs import MotifIndex
from infomotif.typing import Array

if TYPE_CHECKING:
    from infomotif.model.estimator import InfoMotif


class _OfNodes(BaseEstimator):  # type: ignore[misc]
    """What both estimators share: a graph that copies share, and node numbers or names as X."""

    graph: Any

    def __sklearn_clone__(self) -> Self:
        """Copy the parameters; the graph and its motifs never change, so copies share them."""
        shared = {
            name: value if isinstance(value, Graph | MotifIndex) else clone(value, safe=False)
            for name, value in self.get_params(deep=False).items()
        }
        return type(self)(**shared)

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn that X is a column of node numbers or names."""
        tags = super().__sklearn_tags__()
        tags.input_tags.one_d_array = tags.input_tags.string = tags.input_tags.positive_only = True
        tags.no_validation = True
        return tags

    @staticmethod
    def _numbers(nodes: Any, graph: Graph) -> Array:
        """Return the numbers of nodes that are given as numbers or names, [m] or as a column [m, 1]."""
        if sp.issparse(nodes):
            raise InputError("X must be node numbers or names (got a sparse matrix, which is not supported)")
        given = np.asarray(nodes)
        if given.ndim == 2 and given.shape[1] == 1:
            given = given[:, 0]
        if given.ndim != 1:
            raise InputError(f"X must hold one node per row (got shape {list(given.shape)}); node numbers or names")
        if given.dtype.kind == "b":
            raise InputError("X must be node numbers or names (got truth values); use np.flatnonzero(mask)")
        return node_numbers(given, graph.num_nodes, "X", index_of=graph.index_of, repeats=True)


class MotifTransformer(TransformerMixin, _OfNodes):  # type: ignore[misc]
    """Orbit counts of nodes as features: the graphlet degree vector, or counts of motifs.

    With ``graph``, X is node numbers or names, as in :class:`NodeClassifier`. Without it, X is a graph and the result
    has one row per node of it.

    Args:
        graph: A :class:`Graph`, or anything that :class:`MotifIndex` takes; or a :class:`MotifIndex`, whose motifs are
            then not counted again.
        motifs: The motifs, as :class:`MotifIndex` takes them.
        orbits: Whether to count by orbit; if not, by motif.
        log: Whether to return log(1 + count).

    Attributes:
        index_: The counted motifs.

    Example:
        >>> import infomotif as im
        >>> from sklearn.linear_model import LogisticRegression
        >>> from sklearn.model_selection import cross_val_score
        >>> from sklearn.pipeline import make_pipeline
        >>> graph = im.load_dataset("karate")
        >>> MotifTransformer().set_output(transform="pandas").fit_transform(graph).columns.tolist()
        ['M6:a', 'M6:bc', 'M7:abc']
        >>> pipeline = make_pipeline(MotifTransformer(graph, log=True), LogisticRegression())
        >>> cross_val_score(pipeline, range(34), graph.y, cv=3).shape
        (3,)
    """

    def __init__(self, graph: Any = None, motifs: Any = "auto", *, orbits: bool = True, log: bool = False) -> None:
        self.graph, self.motifs, self.orbits, self.log = graph, motifs, orbits, log

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002
        """Count the motifs; labels are not used."""
        source = X if self.graph is None else self.graph
        index = source if isinstance(source, MotifIndex) else MotifIndex(as_graph(source), self.motifs)
        if self.graph is not None:
            self._numbers(X, index.graph)
        self.index_ = index
        return self

    def transform(self, X: Any) -> Array:
        """Return the counts of nodes [m, features], or of all nodes if X is a graph."""
        check_is_fitted(self)
        index = self.index_
        if self.graph is None:
            graph = as_graph(X)
            if graph is not index.graph and graph.fingerprint() != index.graph.fingerprint():
                index = MotifIndex(graph, index.motifs)
            rows: Array | slice = slice(None)
        else:
            rows = self._numbers(X, index.graph)
        counts = (index.orbit_counts if self.orbits else index.counts)[rows].astype(np.float64)
        return np.log1p(counts) if self.log else counts

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Return the name of each column, such as ``M6:bc``."""
        check_is_fitted(self)
        names = self.index_.orbit_names if self.orbits else [motif.name for motif in self.index_.motifs]
        return np.array(names, dtype=object)

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn what X is."""
        tags = super().__sklearn_tags__()
        tags.requires_fit = True
        return tags


class NodeClassifier(ClassifierMixin, _OfNodes):  # type: ignore[misc]
    """:class:`infomotif.InfoMotif` as a classifier of nodes: X is node numbers or names, y their labels.

    All nodes of the graph pass messages in every fit; only the labels of X are learned from.

    Args:
        graph: A :class:`Graph`, or anything that ``InfoMotif.fit`` takes; its own labels are not looked at.
        model: The :class:`infomotif.InfoMotif` that every fit trains a copy of; None takes its defaults. Search tools
            reach its options, as in ``model__encoder`` and ``model__training__lr``.
        validation_fraction: Share of X that chooses the epoch instead of being learned from; at 0 the last one is kept.

    Attributes:
        classes_: The labels, in order.
        model_: The trained model.

    Example:
        >>> import infomotif as im
        >>> from sklearn.model_selection import GridSearchCV
        >>> graph = im.load_dataset("karate")
        >>> model = im.InfoMotif(im.GCN(hidden=8), preset="joint", training=im.Training(epochs=5), progress=False)
        >>> grid = {"model__training__lr": [0.01, 0.1], "model__encoder": ["gcn", "sage"]}
        >>> search = GridSearchCV(NodeClassifier(graph, model), grid, cv=2).fit(range(34), graph.y)
        >>> len(search.cv_results_["params"]), search.predict([0, 33]).shape
        (4, (2,))
    """

    def __init__(self, graph: Any = None, model: InfoMotif | None = None, *, validation_fraction: float = 0.0) -> None:
        self.graph, self.model, self.validation_fraction = graph, model, validation_fraction

    def fit(self, X: Any, y: Any) -> Self:
        """Learn the labels ``y`` of the nodes ``X``.

        Raises:
            InputError: If X does not name nodes of the graph, each once.
        """
        from infomotif.model.estimator import InfoMotif

        if self.graph is None:
            raise InputError("NodeClassifier needs a graph: NodeClassifier(graph)")
        graph = as_graph(self.graph)
        nodes, labels = self._numbers(X, graph), column_or_1d(y)
        check_classification_targets(labels)
        if len(nodes) != len(labels):
            raise InputError(f"X and y must be equally long (got {len(nodes)} and {len(labels)})")
        if len(np.unique(nodes)) < len(nodes):
            raise InputError("X names a node twice; give each node one label")
        if not 0 <= self.validation_fraction < 1:
            raise InputError(f"validation_fraction must be at least 0 and below 1 (got {self.validation_fraction})")
        self.classes_, classes = np.unique(labels, return_inverse=True)
        known = np.full(graph.num_nodes, -1, np.int64)
        known[nodes] = classes
        labelled = graph.replace(y=known, class_names=[str(value) for value in self.classes_.tolist()])
        model = InfoMotif(progress=False) if self.model is None else clone(self.model)
        train, val = nodes, None
        if self.validation_fraction:
            train, val = train_test_split(
                nodes, test_size=self.validation_fraction, stratify=classes, random_state=model.random_state
            )
        self.model_ = model.fit(labelled, train=train, val=val)
        return self

    def predict(self, X: Any) -> Array:
        """Return the label of each node [m]."""
        check_is_fitted(self)
        return np.asarray(self.classes_[self.model_.predict()[self._numbers(X, self.model_.graph_)]])

    def predict_proba(self, X: Any) -> Array:
        """Return the probability of each class [m, C]."""
        check_is_fitted(self)
        return np.asarray(self.model_.predict_proba()[self._numbers(X, self.model_.graph_)])
