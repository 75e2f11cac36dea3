"""Names of types that all rooms share."""

from __future__ import annotations

import os
from typing import Any, TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

Array: TypeAlias = NDArray[Any]
"""A NumPy array of any type."""

Int: TypeAlias = int | np.integer[Any]
"""A whole number, of Python or of NumPy: kernels mix them."""

Attributes: TypeAlias = NDArray[np.float32] | sp.csr_array
"""Node attributes [n, F], dense or sparse."""

AnyPath: TypeAlias = str | os.PathLike[str]
"""A path as users give it."""

__all__ = ["AnyPath", "Array", "ArrayLike", "Attributes", "Int", "NDArray"]
