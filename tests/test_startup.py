"""What a first step loads and compiles: counts, because times depend on the machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter

import pytest

INDEX = "import infomotif as im; im.MotifIndex(im.load_dataset('karate'))"
FIT = "import infomotif as im; im.InfoMotif(preset='paper', progress=False).fit(im.load_dataset('karate'))"
LOADED = "import json, sys\n{}\nprint(json.dumps(sorted({{name.partition('.')[0] for name in sys.modules}})))"
COMPILED = """
import json
from numba.core import event

class Compilations(event.Listener):
    names = []

    def on_start(self, event):
        function = event.data["dispatcher"].py_func
        self.names.append(f"{{function.__module__}}.{{function.__name__}}")

    def on_end(self, event):
        pass

event.register("numba:compile", Compilations())
{}
print(json.dumps(Compilations.names))
"""


def printed(code: str, **environment: str) -> list[str]:
    command, variables = [sys.executable, "-c", code], os.environ | environment
    done = subprocess.run(command, env=variables, check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def test_importing_the_package_loads_no_library():
    assert not {"numpy", "scipy", "numba", "torch", "rich"} & set(printed(LOADED.format("import infomotif")))


def test_the_first_index_loads_only_numpy_scipy_and_numba():
    unneeded = {"torch", "pandas", "polars", "pyarrow", "matplotlib", "sklearn", "networkx", "igraph", "rich", "typer"}
    loaded = set(printed(LOADED.format(INDEX)))
    assert {"numpy", "scipy", "numba"} <= loaded
    assert not unneeded & loaded


@pytest.mark.slow
def test_the_first_fit_compiles_sparse_products_for_one_type_of_index(tmp_path):
    names = printed(COMPILED.format(FIT), NUMBA_CACHE_DIR=str(tmp_path))
    count = Counter(names)
    for kernel in ("spmm", "spmm_by_blocks", "transpose_pattern"):
        assert count[f"infomotif.nn.kernels.sparse.{kernel}"] == 1
    # As many as there are today; a kernel more should be a decision.
    assert len(names) <= 52
