"""Diagnosis: all findings about a graph, and the options that follow from them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from infomotif.doctor.attribute_findings import attribute_findings
from infomotif.doctor.finding import Finding
from infomotif.doctor.input_findings import input_findings
from infomotif.doctor.label_findings import label_findings
from infomotif.doctor.structure_findings import structure_findings
from infomotif.errors import InputError
from infomotif.io.adapt import as_graph
from infomotif.motifs import Motif, MotifIndex

DEFAULT_RATIO = 0.6


@dataclass(frozen=True)
class Diagnosis:
    """The findings about a graph.

    Attributes:
        graph: The graph's name.
        findings: All findings, in order.
    """

    graph: str
    findings: tuple[Finding, ...]

    @property
    def options(self) -> tuple[str, ...]:
        """Options of ``infomotif train`` that follow from the findings, each once."""
        chosen: list[tuple[str, ...]] = []
        for finding in self.findings:
            words = list(finding.options)
            while words:
                size = 1 if words[0] == "--undirected" else 2
                option, words = tuple(words[:size]), words[size:]
                if option not in chosen:
                    chosen.append(option)
        return tuple(word for option in chosen for word in option)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        return {"graph": self.graph, "findings": [asdict(f) for f in self.findings], "options": list(self.options)}


def examine(
    graph: Any, *, motifs: str | Iterable[str | Motif] = "auto", ratio: float = DEFAULT_RATIO, seed: int = 0
) -> Diagnosis:
    """Look at a graph before training.

    Args:
        graph: A :class:`Graph`, a PyG ``Data`` or a NetworkX graph.
        motifs: As for :class:`infomotif.MotifIndex`.
        ratio: Share of the labelled nodes that will train.
        seed: Randomness of the split and the halves that are looked at.

    Raises:
        InputError: If the graph has no nodes or ``ratio`` is out of range.

    Example:
        >>> from infomotif import make_roles
        >>> diagnosis = examine(make_roles(num_nodes=200))
        >>> [finding.topic for finding in diagnosis.findings if finding.level == "warning"]
        []
    """
    graph = as_graph(graph)
    if graph.num_nodes == 0:
        raise InputError(f"{graph.name} has no nodes")
    if not 0 < ratio <= 1:
        raise InputError(f"ratio must be above 0 and at most 1 (got {ratio})")
    index = MotifIndex(graph, motifs)
    labels = tuple(label_findings(graph, ratio, seed))
    homophily = next((f.figures for f in labels if f.topic == "homophily"), {})
    excess = homophily["same_class"] - homophily["by_chance"] if "same_class" in homophily else None
    findings = [
        *structure_findings(graph, index),
        *labels,
        *attribute_findings(graph, seed),
        *input_findings(graph, index, excess, seed),
    ]
    return Diagnosis(graph.name, tuple(findings))
