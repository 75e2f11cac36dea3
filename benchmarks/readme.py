"""The tables of README.md, written from the results in ``docs/results`` so that they always agree.

    python benchmarks/readme.py            # after 'infomotif bench report': writes README.md
    python benchmarks/readme.py --check    # exits with 1 if a table differs

A table is between ``<!-- NAME -->`` and ``<!-- end -->``. Cells without a measurement are empty.
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from infomotif_bench.results.cells import MARKS

ROOT = Path(__file__).resolve().parent.parent
TABLES = {
    "few-labels": (
        "few-labels",
        ["1 %", "5 %"],
        ["gcn", "infomotif-gcn", "infomotif-gcn-joint", "gcn-self", "infomotif-gcn-joint-self", "infomotif-gcn-auto"],
    ),
    "few-labels, encoders": (
        "few-labels",
        ["1 %", "5 %"],
        ["gat", "infomotif-gat-joint", "jknet", "infomotif-jknet-joint", "appnp", "infomotif-appnp-joint"],
    ),
    "table2": (
        "table2",
        ["20 %", "40 %", "60 %"],
        [
            "gcn",
            "infomotif-gcn",
            "infomotif-gcn-joint",
            "jknet",
            "infomotif-jknet-joint",
            "gat",
            "infomotif-gat-joint",
        ],  # fmt: skip
    ),
    "table3": (
        "table3",
        ["20 %", "40 %", "60 %"],
        [
            "gcn",
            "infomotif-gcn",
            "infomotif-gcn-joint",
            "gcn-structural",
            "infomotif-gcn-joint-structural",
            "mlp-structural",
            "infomotif-mlp-joint-structural",
            "structural-trees",
        ],  # fmt: skip
    ),
}
"""By name: the experiment, its columns and its rows."""
Cell = dict[str, str]


def cells_of(experiment: str) -> dict[tuple[str, str, str], Cell]:
    """Return the measured cells of an experiment by dataset, method and column."""
    with (ROOT / "docs" / "results" / f"{experiment}.csv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {(row["dataset"], row["method"], row["column"]): row for row in rows if row["mean"]}


def shown(cell: Cell | None, splits: int) -> str:
    """Return mean, spread, the number of splits if it differs from the row's, and the difference to the base."""
    if cell is None:
        return ""
    text = f"{float(cell['mean']):.1f} ± {float(cell['deviation']):.1f}"
    if int(cell["splits"]) != splits:
        text += f" ({cell['splits']} splits)"
    if not cell["to_base"]:
        return text
    mark = MARKS[cell["to_base_verdict"]]
    sign = "" if mark == "=" else f"{mark} "
    over = f" over {splits}" if int(cell["splits"]) != splits else ""
    return f"{text} ({sign}{float(cell['to_base']):+.1f} ± {float(cell['to_base_half_width']):.1f}{over})"


def table(name: str) -> Iterator[str]:
    """Yield the lines of a table: one row per graph and number of labels that is measured."""
    experiment, columns, methods = TABLES[name]
    cells = cells_of(experiment)
    titles = {method: cell["title"] for (_, method, _), cell in cells.items()}
    yield "| graph | labels | splits | " + " | ".join(titles[method] for method in methods) + " |"
    yield "|---|--:|--:" + "|---" * len(methods) + "|"
    for dataset in dict.fromkeys(dataset for dataset, _, _ in cells):
        for column in columns:
            row = [cells.get((dataset, method, column)) for method in methods]
            splits = 0 if row[0] is None else int(row[0]["splits"])
            # A row whose search has only begun has fewer splits than its neighbours.
            complete = [cell if cell is not None and int(cell["splits"]) >= splits else None for cell in row]
            if splits and sum(cell is not None for cell in complete) > 1:
                line = " | ".join(shown(cell, splits) for cell in complete)
                yield f"| `{dataset}` | {column} | {splits} | {line} |"


def written(text: str) -> str:
    """Return the text with every table written from the results."""
    for name in TABLES:
        pattern = re.compile(rf"(<!-- {name} -->\n\n).*?(\n\n<!-- end -->)", re.DOTALL)
        text, found = pattern.subn(lambda match, name=name: match[1] + "\n".join(table(name)) + match[2], text)
        if found != 1:
            raise SystemExit(f"README.md: must have one table between <!-- {name} --> and <!-- end -->")
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a table differs")
    check = parser.parse_args().check
    path = ROOT / "README.md"
    old = path.read_text(encoding="utf-8")
    new = written(old)
    if check:
        sys.exit("README.md differs from docs/results; run 'python benchmarks/readme.py'" if new != old else 0)
    path.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
