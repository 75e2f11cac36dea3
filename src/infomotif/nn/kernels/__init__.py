"""Compiled loops of the neural parts.

Every kernel works on rows (or columns) ``lo`` to ``hi`` and writes only what belongs to them, so that the result does
not depend on the number of threads.
"""

from infomotif.nn.kernels.adam import adam_step
from infomotif.nn.kernels.dropout import DROP_BLOCK, drop_runs, rectify_backward
from infomotif.nn.kernels.instances import (
    LEAK,
    attend,
    attend_backward,
    attend_by_exponentials,
    discriminate,
    gate_apply,
    gate_backward,
    pair_slots,
    scatter_pairs,
    summarise,
)
from infomotif.nn.kernels.negatives import hash_members, open_ends, replace_marked, show_instances
from infomotif.nn.kernels.neighbours import (
    add_loops,
    gcn_weights,
    mark_new,
    mean_weights,
    near_groups,
    number_new,
    sample_neighbours,
    sampled_lengths,
    take_rows,
)
from infomotif.nn.kernels.sparse import (
    add_rows,
    head_sddmm,
    head_spmm,
    neighbour_max,
    neighbour_max_backward,
    row_softmax,
    row_softmax_backward,
    spmm,
    spmm_by_blocks,
    transpose_pattern,
)

__all__ = [
    "DROP_BLOCK",
    "LEAK",
    "adam_step",
    "add_loops",
    "add_rows",
    "attend",
    "attend_backward",
    "attend_by_exponentials",
    "discriminate",
    "drop_runs",
    "gate_apply",
    "gate_backward",
    "gcn_weights",
    "mark_new",
    "mean_weights",
    "hash_members",
    "head_sddmm",
    "head_spmm",
    "near_groups",
    "neighbour_max",
    "neighbour_max_backward",
    "number_new",
    "open_ends",
    "pair_slots",
    "rectify_backward",
    "replace_marked",
    "row_softmax",
    "row_softmax_backward",
    "sample_neighbours",
    "sampled_lengths",
    "scatter_pairs",
    "show_instances",
    "spmm",
    "spmm_by_blocks",
    "summarise",
    "take_rows",
    "transpose_pattern",
]
