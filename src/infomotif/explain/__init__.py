"""Explanations: why a node got its label, which motifs matter where, and how faithful the answers are."""

from infomotif.explain.attributes import Contribution
from infomotif.explain.faithfulness import Faithfulness, faithfulness, probability_without
from infomotif.explain.node import NodeExplanation, explain_node
from infomotif.explain.overview import Overview, explain_graph
from infomotif.explain.roles import Role, Roles, Twin, find_roles, motif_level, role_twins
from infomotif.explain.subject import Subject
from infomotif.explain.suggest import Suggestion, suggest_nodes
from infomotif.explain.top_instances import score_instances, top_instances

__all__ = [
    "Contribution",
    "Faithfulness",
    "NodeExplanation",
    "Overview",
    "Role",
    "Roles",
    "Subject",
    "Suggestion",
    "Twin",
    "explain_graph",
    "explain_node",
    "faithfulness",
    "find_roles",
    "motif_level",
    "probability_without",
    "role_twins",
    "score_instances",
    "suggest_nodes",
    "top_instances",
]
