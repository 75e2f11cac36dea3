"""Archives: the same bytes come out, and a damaged or hostile file is one line."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from infomotif.errors import InputError
from infomotif_bench.running import archive
from infomotif_bench.running.archive import Absorbed, from_archive, to_archive
from infomotif_bench.running.run_record import pack

PUBLISHED = sorted((Path(__file__).parents[3] / "docs" / "results" / "runs").glob("*.runs.xz"))


def jsonl(*lines: object) -> bytes:
    return b"".join(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in lines)


def run_line(split: int, correct: str | None, **more: object) -> dict[str, object]:
    return {"kind": "run", "dataset": "a", "ratio": 0.2, "split": split, "correct": correct, **more}


def round_trip(lines: bytes) -> bytes:
    return from_archive(to_archive(lines, Absorbed.of(lines)), "x").to_jsonl()


def hostile(document: object, bits: bytes = b"") -> bytes:
    return lzma.compress(json.dumps(document).encode() + b"\n" + bits)


GOOD = {"format": "infomotif-runs", "version": 1, "absorbed": [0, ""], "shapes": [["kind"]], "lines": [0],
        "columns": {"kind": ["run"]}, "verbatim": []}  # fmt: skip


def test_runs_of_many_sizes_come_out_as_they_went_in():
    rng = np.random.default_rng(0)
    lines = [
        run_line(i % 3, pack(rng.random(size) < 0.7), seconds=float(rng.random()))
        for i, size in enumerate(rng.integers(1, 90, 200))
    ]
    assert round_trip(jsonl(*lines)) == jsonl(*lines)


@pytest.mark.parametrize(
    "text",
    [
        b'{"kind":"run"}', b'{"kind": "run", "kind": "run"}', b'{"correct": 3}', b'{"correct": true}',
        b'{"correct": "no base64!"}', b'{"correct": "wB=="}', b'{"correct": ""}', b'{"correct": null}',
        '{"name": "ü — ∞"}'.encode(), b'{"name": "\\u00fc"}', b'{"x": 1e5}', b'{"x": -0.0}', b'{"x": 100000.0}',
        b'{"details": {"correct": 3}}', b"{}", b'{"a\\nb": "\\n"}', b'{"x": 0.1, "y": [1, {"z": null}]}',
    ],
)  # fmt: skip
def test_every_line_of_json_is_kept_byte_for_byte(text):
    lines = text + b"\n" + jsonl(run_line(0, "wA==")) + text + b"\n"
    assert round_trip(lines) == lines


text = st.text(st.characters(codec="utf-8"), max_size=4) | st.sampled_from(["wA==", "wAAA", "wB==", ""])
values = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | text
keys = st.sampled_from(["kind", "correct", "split", "dataset", "x"])


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.dictionaries(keys, values | st.lists(values, max_size=2), max_size=4), max_size=4))
def test_any_values_are_kept(lines):
    assert round_trip(jsonl(*lines)) == jsonl(*lines)


def test_it_remembers_what_was_packed_last():
    assert from_archive(to_archive(b"", Absorbed.of(b"abc")), "x").absorbed == Absorbed.of(b"abc")


@pytest.mark.skipif(not PUBLISHED, reason="the published runs are not in the package")
@pytest.mark.parametrize("path", PUBLISHED, ids=lambda path: path.name)
def test_published_archives_come_out_as_they_would_go_in(path):
    unpacked = archive.read_archive(path)
    assert from_archive(to_archive(unpacked.to_jsonl(), unpacked.absorbed), "x") == unpacked
    assert unpacked.absorbed == Absorbed.of(unpacked.to_jsonl())


@pytest.mark.skipif(not PUBLISHED, reason="the published runs are not in the package")
def test_published_archives_are_small():
    assert sum(path.stat().st_size for path in PUBLISHED) < 1_600_000


@pytest.mark.parametrize("cut", [0, 1, 30, -1])
def test_a_file_that_is_cut_off_is_refused(cut):
    whole = to_archive(jsonl(run_line(0, "wA==")), Absorbed())
    with pytest.raises(InputError, match=r"^x: not a readable archive of runs \(.*\); restore the file from a copy$"):
        from_archive(whole[:cut], "x")


def test_a_changed_byte_is_found():
    whole = to_archive(jsonl(*(run_line(i, "wA==", seconds=i / 7) for i in range(50))), Absorbed())
    for place in range(0, len(whole), 7):
        changed = whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
        with pytest.raises(InputError, match="not a readable archive"):
            from_archive(changed, "x")


@pytest.mark.parametrize(
    "change",
    [
        {"format": "other"}, {"version": 2}, {"version": "\n" * 50}, {"lines": [0, 0]}, {"lines": [7]},
        {"lines": ["a"]},
        {"lines": []}, {"shapes": [["kind", "x"]]}, {"shapes": 5}, {"columns": {"kind": 5}}, {"columns": []},
        {"verbatim": ["[1]"]}, {"shapes": [None], "verbatim": ["[1]"], "columns": {}},
        {"shapes": [None], "verbatim": ["x"], "columns": {}}, {"shapes": [None], "verbatim": [5], "columns": {}},
        {"absorbed": 5}, {"absorbed": ["x", "y"]}, {"columns": {"kind": ["run"], "x": [1]}},
        {"shapes": [["correct"]], "columns": {"correct": [10**15]}},
        {"shapes": [["correct"]], "columns": {"correct": [-1]}},
    ],
    ids=str,
)  # fmt: skip
def test_content_that_does_not_fit_is_one_line(change):
    with pytest.raises(InputError) as refused:
        from_archive(hostile({**GOOD, **change}), "x.runs.xz")
    message = str(refused.value)
    assert message.startswith("x.runs.xz: not a readable archive of runs (")
    assert len(message.splitlines()) == 1
    assert len(message) < 200


@pytest.mark.parametrize(
    "content", [b"", b"[" * 100_000, b"null\n", b"{}\n", b"\xff\n"], ids=lambda text: str(text[:4])
)
def test_other_content_is_one_line(content):
    with pytest.raises(InputError, match="not a readable archive"):
        from_archive(lzma.compress(content), "x")


def test_bits_too_many_are_refused():
    with pytest.raises(InputError, match="more bits than test nodes"):
        from_archive(hostile(GOOD, b"xx"), "x")


def test_a_file_that_unpacks_to_too_much_is_refused(monkeypatch):
    monkeypatch.setattr(archive, "MAX_BYTES", 1 << 20)
    with pytest.raises(InputError, match="unpacks to more than 1 MB"):
        from_archive(lzma.compress(bytes(1 << 22)), "x")
