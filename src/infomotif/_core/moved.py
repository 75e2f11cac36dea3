"""Where modules of earlier versions are now: importing the old name answers with the new one."""

from __future__ import annotations

import sys

MOVED = {
    "infomotif.baselines": "infomotif_bench.methods",
    "infomotif.bench": "infomotif_bench",
    "infomotif.doctor.attributes": "infomotif.doctor.attribute_findings",
    "infomotif.doctor.labels": "infomotif.doctor.label_findings",
    "infomotif.doctor.structure": "infomotif.doctor.structure_findings",
    "infomotif.estimator": "infomotif.model",
    "infomotif.explain.features": "infomotif.explain.attributes",
    "infomotif.explain.hops": "infomotif.graph.neighbourhoods",
    "infomotif.explain.instances": "infomotif.explain.top_instances",
    "infomotif.explain.pyg": "infomotif.adapters.pyg_explainer",
    "infomotif.explain.removal": "infomotif.explain.faithfulness",
    "infomotif.explain.text": "infomotif.explain.render",
    "infomotif.explain.twins": "infomotif.explain.roles",
    "infomotif.files": "infomotif._core.files",
    "infomotif.fingerprint": "infomotif.graph.fingerprint",
    "infomotif.io.columns": "infomotif.io.tables.encode",
    "infomotif.io.conversion": "infomotif.io.store.convert",
    "infomotif.io.convert": "infomotif.io.adapt",
    "infomotif.io.csv": "infomotif.io.formats.csv",
    "infomotif.io.edgelist": "infomotif.io.formats.edgelist",
    "infomotif.io.export": "infomotif.io.formats.csv",
    "infomotif.io.graphml": "infomotif.io.formats.graphml",
    "infomotif.io.labels": "infomotif.io.tables.labels",
    "infomotif.io.networkx": "infomotif.io.formats.networkx",
    "infomotif.io.pyg": "infomotif.io.formats.pyg",
    "infomotif.loading": "infomotif.model",
    "infomotif.locks": "infomotif._core.locks",
    "infomotif.memory": "infomotif._core.malloc",
    "infomotif.motifs.adjacency": "infomotif.motifs.motif_adjacency",
    "infomotif.motifs.census": "infomotif.motifs.counting.census",
    "infomotif.motifs.dyads": "infomotif.motifs.counting.dyads",
    "infomotif.motifs.graphlets": "infomotif.motifs.counting.graphlets",
    "infomotif.motifs.matching": "infomotif.motifs.counting.matching",
    "infomotif.motifs.pictures": "infomotif.motifs.drawing",
    "infomotif.motifs.place": "infomotif.motifs.encodings",
    "infomotif.motifs.structural": "infomotif.motifs.encodings",
    "infomotif.motifs.triads": "infomotif.motifs.counting.triads",
    "infomotif.nn.adjacency": "infomotif.nn.propagation.adjacency",
    "infomotif.nn.blocks": "infomotif.nn.propagation.blocks",
    "infomotif.nn.controls": "infomotif.nn.regularizer.instances",
    "infomotif.nn.convolutions": "infomotif.nn.propagation.convolutions",
    "infomotif.nn.deep_encoders": "infomotif.nn.encoders",
    "infomotif.nn.dropout": "infomotif.nn.propagation.dropout",
    "infomotif.nn.encoder": "infomotif.nn.encoders.base",
    "infomotif.nn.fused": "infomotif.nn.regularizer.fused",
    "infomotif.nn.infomax": "infomotif.nn.regularizer.loss",
    "infomotif.nn.negatives": "infomotif.nn.regularizer.negatives",
    "infomotif.nn.pairs": "infomotif.nn.regularizer.pairs",
    "infomotif.nn.sparse": "infomotif.nn.propagation.sparse",
    "infomotif.parallel": "infomotif._core.parallel",
    "infomotif.persistence": "infomotif.model.saving",
    "infomotif.progress": "infomotif._core.progress",
    "infomotif.report": "infomotif.runs.report",
    "infomotif.runfolder": "infomotif.runs",
    "infomotif.schema": "infomotif.graph.schema",
    "infomotif.statistics": "infomotif._core.statistics",
    "infomotif.training.adam": "infomotif.training.optim",
    "infomotif.training.auto": "infomotif.search.auto",
    "infomotif.training.candidates": "infomotif.search.candidates",
    "infomotif.training.choice": "infomotif.search.choice",
    "infomotif.training.consistency": "infomotif.training.losses",
    "infomotif.training.curriculum": "infomotif.training.loop",
    "infomotif.training.job": "infomotif.training.session",
    "infomotif.training.machine": "infomotif.training.device",
    "infomotif.training.neighbourhoods": "infomotif.graph.neighbourhoods",
    "infomotif.training.novelty": "infomotif.training.losses",
    "infomotif.training.objective": "infomotif.training.losses",
    "infomotif.training.search": "infomotif.search.halving",
    "infomotif.training.settings": "infomotif.training.config",
    "infomotif.training.sources": "infomotif.training.views",
    "infomotif.validation": "infomotif.graph.checks",
}
"""New name of each module that users may have imported."""


class MovedModules:
    """The last finder of ``sys.meta_path``, asked for modules that nobody else knows."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        """Raise the error that names the new place, if ``name`` moved."""
        if name in MOVED:
            # Without its attribute name: with it, ``from infomotif import estimator`` would hide the message.
            raise ModuleNotFoundError(f"{name} moved to {MOVED[name]}")

    @classmethod
    def install(cls) -> None:
        """Let imports of old names be answered."""
        if not any(finder is cls for finder in sys.meta_path):
            sys.meta_path.append(cls)
