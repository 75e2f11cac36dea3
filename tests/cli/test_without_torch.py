"""Commands of the motif engine run without torch, and without what only other rooms need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

RUN = """
import sys
from infomotif.cli.main import run
try:
    run({arguments!r})
except SystemExit as ended:
    assert not ended.code
learning = {{"torch", "torch_geometric", "sklearn", "networkx", "matplotlib", "plotly", "safetensors"}}
sys.stderr.write("loaded: " + ",".join(sorted(learning & set(sys.modules))))
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["train", "--help"],
        ["motifs", "karate", "--random-graphs", "1", "--out", "counts.csv"],
        ["motifs", "karate", "--random-graphs", "0", "--out", "counts.parquet"],
        ["convert", "karate", "store"],
        ["convert", "--edges", "edges.csv", "--nodes", "nodes.csv", "other"],
        ["datasets"],
        ["datasets", "verify", "karate"],
        ["doctor", "karate"],
        ["doctor", "--edges", "edges.csv", "--nodes", "nodes.csv"],
    ],
    ids=" ".join,
)
def test_a_command_loads_nothing_of_learning(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "edges.csv").write_text("source,target\na,b\nb,c\nc,a\n")
    (tmp_path / "nodes.csv").write_text("id,label,age\na,x,1\nb,y,2\nc,,3\n")
    code = RUN.format(arguments=arguments)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr.rpartition("loaded: ")[2] == ""
