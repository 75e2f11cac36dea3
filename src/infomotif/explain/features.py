"""Input features of some nodes, whichever way the network keeps them."""

from __future__ import annotations

import scipy.sparse as sp
import torch
from torch import Tensor

from infomotif.nn.propagation.convolutions import Features
from infomotif.nn.propagation.sparse import SparseMatrix
from infomotif.typing import Array


def feature_rows(x: Features, rows: Array) -> sp.csr_array | Tensor:
    """Return the features of some nodes, [rows, F], sparse if all of them are, and without gradient.

    Example:
        >>> import numpy as np
        >>> x = SparseMatrix.from_scipy(sp.eye_array(3, format="csr", dtype="float32"))
        >>> feature_rows(x, np.array([2])).toarray().tolist()
        [[0.0, 0.0, 1.0]]
    """
    if isinstance(x, SparseMatrix):
        values = x.values.detach().cpu().numpy()
        return sp.csr_array(sp.csr_array((values, x.pattern.indices, x.pattern.indptr), shape=x.shape)[rows])
    return x[torch.from_numpy(rows).to(x.device)].detach()
