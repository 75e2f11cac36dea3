"""Replacing a graph store by another: the arrays go into a new folder of the store, and one rename makes them valid."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

from infomotif._core.files import room_for, sync_folder, sync_tree, write_text, writing
from infomotif._core.locks import in_use, remove_unused
from infomotif.errors import InputError
from infomotif.io.store.description import ARRAYS, DESCRIPTION, GENERATION, description_text, read_description


@contextlib.contextmanager
def replaced_store(store: Path) -> Iterator[Path]:
    """Yield a folder for a whole store, whose arrays replace those of ``store`` when the block ends without error.

    Whatever happens meanwhile, the store is the old one or the new one. Graphs that are open keep the old arrays.

    Args:
        store: A folder that holds a graph store, or what is left of one.

    Raises:
        InputError: If the store cannot be written, or the disk is full.
    """
    root = Path(os.path.realpath(store))
    aside = root / f"arrays-{secrets.token_hex(4)}"
    with contextlib.ExitStack() as stack:
        with writing(store):
            stack.enter_context(in_use(aside, Path.mkdir))
        try:
            with room_for(store):
                yield aside
            with writing(store):
                shutil.copymode(root, aside)
                values = read_description(aside).values | {"arrays": aside.name}
                (aside / DESCRIPTION).unlink()
                sync_tree(aside)
                sync_folder(root)
                before = _current(root)
                write_text(root / DESCRIPTION, description_text(values))
        finally:
            if _current(root) != aside.name:
                shutil.rmtree(aside, ignore_errors=True)
    _remove_others(root, before)


def _current(root: Path) -> str | None:
    """Return the name of the folder that holds a store's arrays, empty for its own; None if it is not known."""
    try:
        return str(read_description(root).values.get("arrays", ""))
    except InputError:
        return None


def _remove_others(root: Path, before: str | None) -> None:
    """Remove the arrays that were replaced, and those that killed processes left behind."""
    if before:
        shutil.rmtree(root / before, ignore_errors=True)
    for path in list(root.iterdir()):
        if GENERATION.fullmatch(path.name):
            remove_unused(path, unless=lambda path=path: _current(root) == path.name)  # type: ignore[misc]
        elif path.suffix == ".npy" and path.stem in ARRAYS and _current(root):
            with contextlib.suppress(OSError):
                path.unlink()
