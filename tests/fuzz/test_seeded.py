"""Two thousand cases with a fixed seed: no traceback, no hang, no crash, no unseen change, within the memory cap."""

import pytest

from tests.fuzz.processes import run, table
from tests.fuzz.targets import TARGETS


@pytest.mark.slow
def test_two_thousand_damaged_files_are_read_or_refused_in_one_line():
    counts, failures, _ = run(seed=0, cases=2000)
    assert failures == [], "\n".join(failures[:5])
    assert {name for name, _ in counts} == set(TARGETS), table(counts)
    refused = sum(count for (_, kind), count in counts.items() if kind == "refused")
    # Both happen often, so the edits are neither harmless nor all fatal at once.
    assert 1000 < refused < 1950, table(counts)
