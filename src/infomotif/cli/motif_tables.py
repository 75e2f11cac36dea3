"""What ``infomotif motifs`` prints: tables for terminals, and the same figures for machines."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from infomotif.motifs import Balance, EdgeOrbits, MotifIndex, NetworkComparison, Profile, Significance


def motif_rows(index: MotifIndex, chance: Significance | None, profile: Profile | None) -> list[dict[str, Any]]:
    """Return the figures of each motif."""
    rows = []
    for t, motif in enumerate(index.motifs):
        counts = index.counts[:, t]
        row: dict[str, Any] = {
            "name": motif.name,
            "title": motif.title,
            "pattern": motif.pattern,
            "total": int(index.totals[t]),
            "nodes_covered": int((counts > 0).sum()),
            "coverage": float(index.coverage[t]),
            "largest_per_node": int(counts.max(initial=0)),
        }
        if chance is not None:
            row |= {
                "random_mean": float(chance.mean[t]),
                "random_std": float(chance.std[t]),
                "z": finite(chance.z[t]),
                "p_more": float(chance.p_more[t]),
                "p_fewer": float(chance.p_fewer[t]),
            }
        if profile is not None:
            row |= _profile_row(profile, t)
        rows.append(row)
    return rows


def motif_table(index: MotifIndex, rows: list[dict[str, Any]]) -> Table:
    """Return the census with a drawing of each motif."""
    graph = index.graph
    table = _table(f"{graph.name}: {graph.num_nodes:,} nodes, {graph.num_edges:,} edges", show_lines=True)
    compared, profiled = "z" in rows[0], "profile" in rows[0]
    names = ["total", "nodes covered", "largest per node"]
    names += ["by chance", "z-score"] * compared + ["profile"] * profiled
    lines = []
    for row in rows:
        cells = [
            f"{row['total']:,}",
            f"{row['nodes_covered']:,}\n{100 * row['coverage']:.1f} %",
            f"{row['largest_per_node']:,}",
        ]
        if compared:
            cells += [f"{_short(row['random_mean'])}\n± {_short(row['random_std'])}", _signed(row["z"], 1)]
        if profiled:
            cells.append(_with_error(row, "\n"))
        lines.append(cells)
    table.add_column("motif", min_width=10, overflow="fold")
    table.add_column("picture", no_wrap=True)
    for name, column in zip(names, zip(*lines, strict=True), strict=True):
        # Headings may wrap, figures must stay whole.
        longest = max(len(line) for cell in (name.replace(" ", "\n"), *column) for line in cell.split("\n"))
        table.add_column(name, justify="right", min_width=longest)
    for motif, cells in zip(index.motifs, lines, strict=True):
        heading = f"{motif.name}\n{motif.title}" + ("" if motif.name == motif.pattern else f"\n{motif.pattern}")
        # The pattern in the heading names the types.
        table.add_row(*map(Text, (heading, motif.plain.ascii, *cells)))
    return table


def _short(value: float) -> str:
    return f"{value:,.1f}" if value < 10_000 else f"{value:,.0f}"


def balance_figures(found: Balance) -> dict[str, Any]:
    """Return the balance of a signed graph, and what chance gives."""
    figures: dict[str, Any] = {**found.totals, "share": finite(found.share)}
    if len(found.by_chance):
        figures |= {
            "random_mean": finite(found.by_chance.mean()),
            "random_std": finite(found.by_chance.std(ddof=1)) if len(found.by_chance) > 1 else None,
            "z": finite(found.z),
        }
    return figures


def balance_line(found: Balance) -> Text:
    """Return the balance of a signed graph in a sentence."""
    totals = found.totals
    both = totals["balanced"] + totals["unbalanced"]
    if not both:
        return Text("Balance: the graph has no triangle with three signs.")
    shown = f"Balance: {100 * found.share:.1f} % of {both:,} triangles are balanced"
    if len(found.by_chance):
        spread = f" ± {100 * found.by_chance.std(ddof=1):.1f}" if len(found.by_chance) > 1 else ""
        z = "" if math.isnan(found.z) else f" (z {found.z:+.1f})"
        shown += f", by chance {100 * found.by_chance.mean():.1f}{spread} %{z}"
    mixed = f" {totals['mixed']:,} triangles have a pair with both signs." if totals["mixed"] else ""
    return Text(f"{shown}.{mixed}")


def edge_rows(orbits: EdgeOrbits) -> list[dict[str, Any]]:
    """Return the figures of each edge orbit."""
    from infomotif.motifs.counting.edge_orbits import EDGE_ORBITS

    return [
        {
            "orbit": o,
            "name": name,
            "edges_covered": int((orbits.counts[:, o] > 0).sum()),
            "mean_per_edge": float(orbits.counts[:, o].mean()) if len(orbits.edges) else 0.0,
            "largest_per_edge": int(orbits.counts[:, o].max(initial=0)),
        }
        for o, name in enumerate(EDGE_ORBITS)
    ]


def edge_table(rows: list[dict[str, Any]], edges: int, closure: float) -> Table:
    """Return how many graphlets contain the edges, per edge orbit."""
    table = _table(f"graphlets per edge: {edges:,} edges, mean closure {closure:.3f}")
    table.add_column("orbit", justify="right")
    table.add_column("edge of")
    for name in ("edges covered", "mean per edge", "largest per edge"):
        table.add_column(name, justify="right")
    for row in rows:
        cells = [str(row["orbit"]), row["name"], f"{row['edges_covered']:,}", f"{row['mean_per_edge']:,.2f}"]
        table.add_row(*map(Text, [*cells, f"{row['largest_per_edge']:,}"]))
    return table


def comparison_figures(comparison: NetworkComparison) -> dict[str, Any]:
    """Return distances and profiles for machines."""
    figures: dict[str, Any] = {"networks": list(comparison.names), "gcd": comparison.distances.tolist()}
    if comparison.profiles:
        figures["profile_correlation"] = [list(map(finite, row)) for row in comparison.similarities.tolist()]
        figures["profiles"] = [
            {
                "network": name,
                "motifs": [{"name": m.name, **_profile_row(profile, t)} for t, m in enumerate(profile.motifs)],
            }
            for name, profile in zip(comparison.names, comparison.profiles, strict=True)
        ]
    return figures


def comparison_tables(comparison: NetworkComparison) -> list[Table]:
    """Return how far the networks are apart, and their profiles if there are any."""
    tables = [_table("graphlet correlation distances (GCD-11)")]
    tables[0].add_column("network")
    for name in comparison.names:
        tables[0].add_column(Text(name), justify="right")
    for name, row in zip(comparison.names, comparison.distances.tolist(), strict=True):
        tables[0].add_row(*map(Text, [name, *(f"{value:.2f}" for value in row)]))
    if comparison.profiles:
        profiles = _table("significance profiles ± standard errors")
        profiles.add_column("motif")
        for name in comparison.names:
            profiles.add_column(Text(name), justify="right")
        for t, motif in enumerate(comparison.profiles[0].motifs):
            cells = [_with_error(_profile_row(profile, t), " ") for profile in comparison.profiles]
            profiles.add_row(*map(Text, [motif.name, *cells]))
        alike = [_signed(finite(value), 2) for value in comparison.similarities[0].tolist()]
        profiles.add_row(*map(Text, [f"correlation with {comparison.names[0]}", *alike]))
        tables.append(profiles)
    return tables


def finite(value: float) -> float | None:
    """Return a number, or None if it is not one."""
    return float(value) if math.isfinite(value) else None


def _profile_row(profile: Profile, t: int) -> dict[str, float | None]:
    return {
        "profile": finite(profile.values[t]),
        "profile_low": finite(profile.low[t]),
        "profile_high": finite(profile.high[t]),
        "profile_std": finite(profile.std[t]),
    }


def _with_error(row: dict[str, Any], gap: str) -> str:
    known = row["profile_std"] is not None
    return _signed(row["profile"], 2) + (f"{gap}± {row['profile_std']:.2f}" if known else "")


def _signed(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:+.{digits}f}"


def _table(title: str, *, show_lines: bool = False) -> Table:
    return Table(title=Text(title), title_justify="left", show_lines=show_lines)
