"""Checkpoints: the whole state of a training in one file that appears whole or not at all."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from infomotif._core.checksums import BLANK, KEY, REMEDY, is_sealed, sealed
from infomotif._core.files import write_bytes
from infomotif.errors import InputError


def save_tensors(path: Path, tensors: Mapping[str, Tensor], metadata: dict[str, str] | None = None) -> None:
    """Write tensors as safetensors, whole or not at all.

    Raises:
        InputError: If the file cannot be written, or the disk is full.
    """
    write_bytes(path, to_bytes(tensors, metadata))


def to_bytes(tensors: Mapping[str, Tensor], metadata: dict[str, str] | None = None) -> bytes:
    """Return the contents of a safetensors file."""
    plain = {name: value.detach().cpu().contiguous().clone() for name, value in tensors.items()}
    return save(plain, metadata=metadata)


def load_tensors(path: Path) -> tuple[dict[str, Tensor], dict[str, str]]:
    """Read a safetensors file; nothing in it is ever run.

    Raises:
        InputError: If the file is missing, truncated or not of this format.
    """
    try:
        with safe_open(path, framework="pt", device="cpu") as stream:
            return {name: stream.get_tensor(name) for name in stream.keys()}, dict(stream.metadata() or {})  # noqa: SIM118
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except (SafetensorError, OSError, ValueError, KeyError) as error:
        reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        raise InputError(f"{path}: not a readable safetensors file ({reason}); train again or restore it") from None


FORMAT = "5"
"""Increased whenever the contents of a checkpoint change."""
_WITHOUT_CHECKSUM = "4"


class Checkpoint:
    """A file that holds the state of a training.

    Args:
        path: The file.
        training: Identity of the training (settings, data, split, seed); a file of another training is refused.
        every: Seconds between two writes; by default INFOMOTIF_CHECKPOINT_SECONDS, else 10.
    """

    def __init__(self, path: Path, training: dict[str, Any], *, every: float | None = None) -> None:
        self.path, self.every = path, _seconds() if every is None else every
        self._training = json.dumps(training, sort_keys=True)
        self._last = time.monotonic()

    def due(self) -> bool:
        """Whether it is time to write again."""
        return time.monotonic() - self._last >= self.every

    def save(self, tensors: dict[str, Tensor], state: dict[str, Any]) -> None:
        """Write the state over the previous one."""
        about = {KEY: BLANK, "format": FORMAT, "job": self._training, "state": json.dumps(state)}
        write_bytes(self.path, sealed(to_bytes(tensors, about)))
        self._last = time.monotonic()

    def load(self) -> tuple[dict[str, Tensor], dict[str, Any]] | None:
        """Return the tensors and state of the file, or None if there is no file.

        Raises:
            InputError: If the file is broken or belongs to another training.
        """
        if not self.path.exists():
            return None
        tensors, metadata = load_tensors(self.path)
        if KEY in metadata or metadata.get("format") == FORMAT:
            self._check_seal(metadata.get(KEY))
        if metadata.get("format") not in (FORMAT, _WITHOUT_CHECKSUM):
            raise InputError(f"{self.path}: written by another version of infomotif; remove it to start again")
        if metadata.get("job") != self._training:
            raise InputError(
                f"{self.path}: belongs to a run with other settings, data or seed; use another folder or remove it"
            )
        try:
            return tensors, json.loads(metadata["state"], parse_constant=float)
        except (KeyError, ValueError, RecursionError):
            raise self.unusable() from None

    def _check_seal(self, checksum: str | None) -> None:
        try:
            whole = is_sealed(self.path.read_bytes(), checksum)
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read ({error.strerror or error})") from None
        if not whole:
            raise InputError(f"{self.path}: does not match its own checksum; {REMEDY}, or remove it to start again")

    def unusable(self) -> InputError:
        """Return the error of a file without a usable state."""
        return InputError(f"{self.path}: holds no training state; remove it to start again")


def _seconds() -> float:
    given = os.environ.get("INFOMOTIF_CHECKPOINT_SECONDS", "").strip() or "10"
    try:
        seconds = float(given)
    except ValueError:
        seconds = -1.0
    if not seconds >= 0:
        raise InputError(f"INFOMOTIF_CHECKPOINT_SECONDS must be a number of seconds, 0 or more (got '{given}')")
    return seconds
