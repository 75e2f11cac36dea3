"""The text of CSV files in blocks: records stay whole wherever a block ends."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infomotif.io.tables.kernels import record_ends
from infomotif.io.tables.text_blocks import text_blocks


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("a,b\nc", (4, 4)),
        ('"a\nb"\nc\n', (6, 8)),
        ('x"y\nz', (4, 4)),
        ('"say ""hi\n"""\nz', (14, 14)),
        ('"open\n', (0, 0)),
        ("a\r\nb", (2, 3)),
    ],
)
def test_a_record_ends_where_no_quote_is_open(text: str, ends: tuple[int, int]) -> None:
    assert record_ends(np.frombuffer(text.encode(), np.uint8), ord(",")) == ends


RECORDS = st.lists(st.sampled_from(["a,b", '"x\ny",1', '"say ""hi""",2', 'say "hi",3', "", "ü,4"]), max_size=12)


@settings(deadline=None)
@given(RECORDS, st.integers(1, 40), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_blocks_hold_whole_records(
    tmp_path_factory: pytest.TempPathFactory, records: list[str], size: int, end: str, last: bool
) -> None:
    path = Path(tmp_path_factory.mktemp("blocks"), "table.csv")
    path.write_bytes((end.join(["c,d", *records]) + end * last).encode())
    steps: list[float] = []
    blocks = [block.decode() for block in text_blocks(path, ",", size, steps.append)]
    assert "".join(blocks).replace("\r", "").replace("\n", "") == "".join(records).replace("\n", "")
    assert all(block.count('"') % 2 == 0 for block in blocks)
    assert sum(steps) == path.stat().st_size
