"""Archives: the lines of an experiment, packed column by column into one small file.

An archive is an xz file: a JSON object on a line, then bits that say which test nodes of which run were right. The JSON
object has these keys:

- ``format`` and ``version``,
- ``shapes``: the different lists of keys that lines have, and ``lines``: the number of each line's shape,
- ``columns``: for each key the values of all lines that have it, in their order,
- ``verbatim``: lines that would not be restored byte for byte from their values, as text,
- ``absorbed``: size and sha256 of the JSONL file that was packed last.

In the column ``correct`` a number of bytes takes the place of base64 text, and ``test_accuracy`` is null where it is
the share of these bits. The bits of runs on the same test nodes are transposed, because methods mostly agree about a
node; that saves a sixth.
"""

from __future__ import annotations

import base64
import hashlib
import json
import lzma
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from infomotif._core.reading.documents import parse_json
from infomotif.errors import InputError
from infomotif_bench.running.lines import Json

SUFFIX = ".runs.xz"
FORMAT, VERSION = "infomotif-runs", 1
MAX_BYTES = 1 << 30
"""Largest archive that is read, before compression; a small file can claim to hold terabytes."""
_MAX_MEMORY = 1 << 28
# Bits have no structure of four bytes, which xz expects by default.
_FILTERS = [
    {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 1 << 24, "lc": 0, "lp": 0, "pb": 0}
]
_SAME_NODES = ("dataset", "ratio", "labels", "split")


@dataclass(frozen=True)
class Absorbed:
    """The JSONL file that was packed last, so that a copy which outlived a crash is recognised."""

    size: int = 0
    sha256: str = hashlib.sha256().hexdigest()

    @classmethod
    def of(cls, content: bytes) -> Absorbed:
        """Describe the bytes of a file."""
        return cls(len(content), hashlib.sha256(content).hexdigest())


@dataclass(frozen=True)
class Archive:
    """The lines of an archive as values, and the JSONL file that was packed last."""

    lines: tuple[Json, ...]
    absorbed: Absorbed

    def to_jsonl(self) -> bytes:
        """Return the lines as they were packed, byte for byte."""
        return b"".join(to_line(line) for line in self.lines)


class _Verbatim(dict[str, Any]):
    """A line whose text is kept as it is, such as one with other spaces or with a key twice."""

    def __init__(self, text: str) -> None:
        super().__init__(parse_json(text))
        self.text = text


def to_line(line: Json) -> bytes:
    """Return the text of a line as stores write it, with its newline."""
    text = line.text if isinstance(line, _Verbatim) else json.dumps(line, ensure_ascii=False, allow_nan=False)
    return text.encode() + b"\n"


def to_archive(jsonl: bytes, absorbed: Absorbed) -> bytes:
    r"""Pack complete lines.

    Example:
        >>> packed = to_archive(b'{"kind": "environment", "name": "a"}\n', Absorbed())
        >>> from_archive(packed, "demo.runs.xz").to_jsonl()
        b'{"kind": "environment", "name": "a"}\n'
    """
    shapes: dict[tuple[str, ...] | None, int] = {}
    numbers: list[int] = []
    columns: dict[str, list[Any]] = {}
    verbatim: list[str] = []
    groups: dict[str, list[bytes]] = {}
    for text in jsonl.split(b"\n")[:-1]:
        line = json.loads(text)
        bits = _bits_of(line)
        if to_line(line) != text + b"\n" or _is_ambiguous(line, bits):
            numbers.append(shapes.setdefault(None, len(shapes)))
            verbatim.append(text.decode())
            continue
        if bits is not None:
            line["correct"] = len(bits)
            accuracy = line.get("test_accuracy")
            if isinstance(accuracy, float) and accuracy == _share(bits, line):
                line["test_accuracy"] = None
            groups.setdefault(_group(line), []).append(bits)
        numbers.append(shapes.setdefault(tuple(line), len(shapes)))
        for key, value in line.items():
            columns.setdefault(key, []).append(value)
    document = {
        "format": FORMAT, "version": VERSION, "absorbed": [absorbed.size, absorbed.sha256],
        "shapes": [None if shape is None else list(shape) for shape in shapes], "lines": numbers, "columns": columns,
        "verbatim": verbatim,
    }  # fmt: skip
    body = json.dumps(document, ensure_ascii=False).encode() + b"\n" + b"".join(map(_transposed, groups.values()))
    return lzma.compress(body, filters=_FILTERS)


def read_archive(path: Path) -> Archive:
    """Read an archive.

    Raises:
        InputError: If the file is damaged, is not an archive, or is from a newer version.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); check its permissions") from None
    return from_archive(content, str(path))


def from_archive(content: bytes, where: str) -> Archive:
    """Unpack what :func:`to_archive` packed.

    Raises:
        InputError: Naming ``where`` and what is wrong.
    """
    try:
        return _unpacked(_decompressed(content))
    # Content from elsewhere may be anything: wrong types, counts that do not fit, lists nested too deep.
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        IndexError,
        StopIteration,
        RecursionError,
        OSError,
    ) as error:
        finding = str(error) if isinstance(error, InputError) else "its content is damaged"
    raise InputError(f"{where}: not a readable archive of runs ({finding}); restore the file from a copy")


def _decompressed(content: bytes) -> bytes:
    reader = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MAX_MEMORY)
    try:
        body = reader.decompress(content, max_length=MAX_BYTES)
    except lzma.LZMAError:
        raise InputError("its bytes are damaged, or it is not an xz file") from None
    if not reader.eof or reader.unused_data:
        raise InputError(f"it is cut off, has something after its end, or unpacks to more than {MAX_BYTES >> 20} MB")
    return body


def _unpacked(body: bytes) -> Archive:
    head, _, bits = body.partition(b"\n")
    document = parse_json(head)
    if document["format"] != FORMAT:
        raise InputError("it has another format")
    if document["version"] != VERSION:
        raise InputError(f"its version is {document['version']!r:.20}, this infomotif reads {VERSION}")
    columns = {key: iter(values) for key, values in document["columns"].items()}
    verbatim = iter(document["verbatim"])
    lines: list[Json] = []
    for number in document["lines"]:
        shape = document["shapes"][number]
        lines.append(_Verbatim(next(verbatim)) if shape is None else {key: next(columns[key]) for key in shape})
    if any(True for values in (*columns.values(), verbatim) for _ in values):
        raise InputError("it has more values than lines")
    _put_bits(lines, bits)
    size, digest = document["absorbed"]
    return Archive(tuple(lines), Absorbed(int(size), str(digest)))


def _put_bits(lines: Sequence[Json], bits: bytes) -> None:
    """Put base64 text in place of the numbers of bytes."""
    groups: dict[str, list[Json]] = {}
    for line in lines:
        if isinstance(line.get("correct"), int) and not isinstance(line, _Verbatim):
            groups.setdefault(_group(line), []).append(line)
    start = 0
    for group in groups.values():
        size = int(group[0]["correct"])
        end = start + 8 * size * -(-len(group) // 8)
        if size < 0 or end > len(bits):
            raise InputError("bits of test nodes are missing")
        for line, row in zip(group, _rows(bits[start:end], len(group)), strict=True):
            line["correct"] = base64.b64encode(row).decode("ascii")
            if line.get("test_accuracy", 0) is None:
                line["test_accuracy"] = _share(row, line)
        start = end
    if start < len(bits):
        raise InputError("it has more bits than test nodes")


def _bits_of(line: Json) -> bytes | None:
    """Return the bytes behind the base64 text of a run; None if there is none, or not of the usual form."""
    text = line.get("correct")
    if not isinstance(text, str):
        return None
    try:
        bits = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    return bits if base64.b64encode(bits).decode("ascii") == text else None


def _is_ambiguous(line: Json, bits: bytes | None) -> bool:
    """Whether a line has a value that means something else in an archive; then its text is kept."""
    if bits is None:
        return isinstance(line.get("correct"), int)
    return line.get("test_accuracy", 0) is None


def _share(bits: bytes, line: Json) -> float | None:
    """Return the share of test nodes that were right, as runs round it; None if the line does not tell their number."""
    nodes = line.get("nodes")
    tested = nodes[-1] if isinstance(nodes, list) and nodes else None
    if not isinstance(tested, int) or not 0 < tested <= 8 * len(bits):
        return None
    right = np.unpackbits(np.frombuffer(bits, dtype=np.uint8), count=tested)
    return round(float(right.mean()), 6)


def _group(line: Json) -> str:
    """Return a key that runs on the same test nodes share."""
    return json.dumps([line["correct"], *(line.get(key) for key in _SAME_NODES)])


def _transposed(rows: Sequence[bytes]) -> bytes:
    """Return bits node by node: the runs of one node side by side, in whole bytes."""
    matrix = np.frombuffer(b"".join(rows), dtype=np.uint8).reshape(len(rows), -1)
    return np.packbits(np.unpackbits(matrix, axis=1).T, axis=1).tobytes()


def _rows(bits: bytes, count: int) -> Iterator[bytes]:
    """Undo :func:`_transposed`; yield the bits of each of ``count`` runs."""
    matrix = np.frombuffer(bits, dtype=np.uint8).reshape(-1, -(-count // 8))
    for row in np.packbits(np.unpackbits(matrix, axis=1, count=count).T, axis=1):
        yield row.tobytes()
