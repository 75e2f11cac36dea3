"""``graph.json``: what the arrays of a graph store mean, and the size and checksum of each; written last."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infomotif._core.checksums import check_seal, sealed_json
from infomotif._core.reading.documents import read_json
from infomotif.errors import InputError
from infomotif.graph.colours import check_type_names

DESCRIPTION = "graph.json"
FORMAT = "infomotif graph store"
VERSION = 3
"""The version of stores of graphs with types; others are written as version 2, which earlier programs read."""
WITHOUT_TYPES = 2
TYPES: dict[str, Any] = {"node_type_names": [], "edge_type_names": [], "attribute_types": None}
"""What only stores of graphs with types say, and what others mean."""
GENERATION = re.compile(r"arrays-[0-9a-f]{8}")
"""Names of folders within a store that hold the arrays of a store that was replaced."""
ARRAYS = (
    "indptr", "indices", "reverse-indptr", "reverse-indices", "undirected-indptr", "undirected-indices", "weights", "y",
    "names", "x", "x-data", "x-indices", "x-indptr", "node-types", "edge-types",
)  # fmt: skip
"""Every array that a store may have."""
_TYPE_ARRAYS = (("node-types", "node_type_names"), ("edge-types", "edge_type_names"))
_KEYS: dict[str, tuple[type, ...]] = {
    "name": (str,), "directed": (bool,), "weighted": (bool,), "labelled": (bool,), "named": (bool,),
    "nodes": (int,), "edges": (int,), "entries": (dict,), "attributes": (int,), "attribute_kind": (str, type(None)),
    "attribute_names": (list, type(None)), "class_names": (list,), "notes": (dict,), "schema": (dict, type(None)),
    "fingerprint": (str,), "node_type_names": (list,), "edge_type_names": (list,),
    "attribute_types": (list, type(None)),
}  # fmt: skip


@dataclass(frozen=True)
class Description:
    """What ``graph.json`` says.

    Attributes:
        store: The folder of the store.
        values: Its keys and values.
        digest: The sha256 of the file itself, which depends on every array by their checksums.
    """

    store: Path
    values: dict[str, Any]
    digest: str

    @property
    def folder(self) -> Path:
        """The folder of the arrays."""
        return self.store / str(self.values.get("arrays", ""))

    @property
    def checksums(self) -> dict[str, Any] | None:
        """Size and checksum of each file; None in a store of an earlier version."""
        return self.values.get("files")

    def file_names(self) -> list[str]:
        """Return the names of all files of arrays."""
        about = self.values
        names = ["indptr", "indices"]
        if about["directed"]:
            names += ["reverse-indptr", "reverse-indices", "undirected-indptr", "undirected-indices"]
        names += [name for name, key in (("weights", "weighted"), ("y", "labelled"), ("names", "named")) if about[key]]
        names += [name for name, key in _TYPE_ARRAYS if about[key]]
        if about["attribute_kind"] is not None:
            names += ["x-indptr", "x-indices", "x-data"] if about["attribute_kind"] == "sparse" else ["x"]
        return [f"{name}.npy" for name in names]


def is_store(path: Any) -> bool:
    """Return whether a path is a folder that describes itself as a graph store."""
    return (Path(path) / DESCRIPTION).is_file()


def description_text(values: dict[str, Any]) -> str:
    """Return the text of ``graph.json``, with its checksum."""
    return sealed_json({key: value for key, value in values.items() if key != "checksum"})


def read_description(folder: Path) -> Description:
    """Read ``graph.json`` and check every value.

    Raises:
        InputError: If the folder has none, or it is damaged or of a later version.
    """
    path = folder / DESCRIPTION
    missing = f"{folder}: not a graph store (it has no {DESCRIPTION}); see 'infomotif convert'"
    text, about = read_json(path, missing=missing, remedy="convert the graph again")
    if not isinstance(about, dict) or about.get("format") != FORMAT or type(about.get("version")) is not int:
        raise InputError(f"{path}: does not describe a graph store; convert the graph again")
    check_seal(path, text, about, required=about["version"] >= WITHOUT_TYPES)
    if not 1 <= about["version"] <= VERSION:
        raise InputError(
            f"{path}: version {about['version']}, this infomotif reads up to {VERSION}; update it, or convert again"
        )
    about = TYPES | about
    for key, kinds in _KEYS.items():
        if key not in about or type(about[key]) not in kinds:
            raise InputError(f"{path}: '{key}' is missing or of the wrong kind; convert the graph again")
    texts = [*about["class_names"], *(about["attribute_names"] or ())]
    numbers = [about["nodes"], about["attributes"], *about["entries"].values(), *about["notes"].values()]
    if not all(isinstance(text, str) for text in texts) or not all(type(v) is int and v >= 0 for v in numbers):
        raise InputError(f"{path}: names must be text and counts whole numbers; convert the graph again")
    check_type_names(about["node_type_names"], "node")
    check_type_names(about["edge_type_names"], "edge")
    owners, most = about["attribute_types"], len(about["node_type_names"])
    if owners is not None and (
        len(owners) != about["attributes"] or not all(type(owner) is int and -1 <= owner < most for owner in owners)
    ):
        raise InputError(f"{path}: 'attribute_types' must number node types; convert the graph again")
    if about["version"] > 1 and not isinstance(about.get("files"), dict):
        raise InputError(f"{path}: 'files' is missing or of the wrong kind; convert the graph again")
    arrays = about.get("arrays", "")
    if not isinstance(arrays, str) or (arrays and not GENERATION.fullmatch(arrays)):
        raise InputError(f"{path}: 'arrays' must name a folder of this store; convert the graph again")
    return Description(folder, about, hashlib.sha256(text).hexdigest())
