"""Caps on what input may cost: one line names the variable that raises them."""

import os

import pytest

from infomotif._core.reading.limits import COLUMNS, LIMITS, UNPACKED, require_file, unpacked_limit
from infomotif.errors import InputError


@pytest.mark.parametrize("limit", LIMITS, ids=lambda limit: limit.variable)
def test_a_variable_raises_each_limit(monkeypatch, limit):
    monkeypatch.delenv(limit.variable, raising=False)
    assert limit.value == limit.default
    monkeypatch.setenv(limit.variable, str(2 * limit.default))
    assert limit.value == 2 * limit.default
    line = str(limit.exceeded("file.csv has"))
    assert line == f"file.csv has more than {2 * limit.default:,} {limit.unit}; if you trust it, raise {limit.variable}"


@pytest.mark.parametrize("value", ["0", "-1", "1e9", "lots", "9" * 19, "\u0661"])
def test_a_variable_that_holds_no_number_is_refused(monkeypatch, value):
    monkeypatch.setenv(COLUMNS.variable, value)
    with pytest.raises(InputError, match="INFOMOTIF_MAX_COLUMNS must be a whole number from 1 on"):
        _ = COLUMNS.value


def test_large_files_may_unpack_to_many_times_their_size(monkeypatch):
    monkeypatch.setenv(UNPACKED.variable, "1000")
    assert (unpacked_limit(1), unpacked_limit(100)) == (1000, 5000)


def test_only_files_are_read(tmp_path):
    (tmp_path / "file").write_bytes(b"abc")
    assert require_file(tmp_path / "file") == 3
    os.mkfifo(tmp_path / "pipe")
    for path, finding in (
        (tmp_path / "pipe", "is a pipe or a device"),
        ("/dev/zero", "is a pipe or a device"),
        (tmp_path, "is a folder"),
        (tmp_path / "none", "no such file"),
        (tmp_path / "file" / "below", "cannot be read"),
        ("nul\0", "cannot be read"),
    ):
        with pytest.raises(InputError, match=finding):
            require_file(path)
