"""Packages that come with an extra of the installation, and the answer where one of them is missing."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from infomotif.errors import InputError

EXTRAS = {
    "torch": ("PyTorch", "learn"),
    "safetensors": ("safetensors", "learn"),
    "sklearn": ("scikit-learn", "learn"),
    "torch_geometric": ("PyTorch Geometric", "pyg"),
    "networkx": ("NetworkX", "networkx"),
    "igraph": ("igraph", "igraph"),
    "matplotlib": ("Matplotlib", "plot"),
    "gensim": ("gensim", "bench"),
    "joblib": ("joblib", "bench"),
    "threadpoolctl": ("threadpoolctl", "bench"),
    "dask": ("Dask", "distributed"),
    "distributed": ("Dask", "distributed"),
}
"""Name and extra of each package that the core does not install, by the module that is imported."""


class MissingExtraError(InputError, ImportError):
    """A package that an extra installs is missing; the message holds the pip command."""


def missing_extra(error: ModuleNotFoundError, what: str) -> ImportError:
    """Return the error that says how to install what ``error`` misses; ``error`` itself if no extra does.

    Example:
        >>> str(missing_extra(ModuleNotFoundError(name="torch.nn"), "training"))
        "training needs PyTorch: pip install 'infomotif[learn]'"
    """
    module = (error.name or "").partition(".")[0]
    if module not in EXTRAS:
        return error
    package, extra = EXTRAS[module]
    return MissingExtraError(f"{what} needs {package}: pip install 'infomotif[{extra}]'")


@contextlib.contextmanager
def needed_for(what: str) -> Iterator[None]:
    """Explain a failed import of an optional package in the block.

    Args:
        what: What cannot be done without the package.

    Raises:
        MissingExtraError: If a package of an extra is not installed.

    Example:
        >>> with needed_for("drawing"):
        ...     import matplotlib
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise missing_extra(error, what) from None
