"""A fault of the package: one line, a log file with the traceback, exit code 1."""

import pytest

from infomotif.cli import crash
from tests.commands import command

pytestmark = pytest.mark.usefixtures("fresh_consoles")


@pytest.fixture
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    def fail(*_, **__):
        raise LookupError("two\nlines " + "x" * 1000)

    monkeypatch.setattr("infomotif.datasets.load_dataset", fail)
    return tmp_path / "infomotif" / "log"


def test_it_is_one_line_and_a_log_with_the_traceback(capsys, state):
    code, out, err = command(capsys, "motifs", "karate")
    (log,) = state.iterdir()
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert err.startswith("error: a fault of infomotif, not of your input (LookupError: two lines xxx")
    assert err.endswith(f"; please report it with {log}\n")
    assert len(err) < 400 + len(str(log))
    text = log.read_text()
    assert "Traceback (most recent call last)" in text
    assert "LookupError: two\nlines" in text
    assert "numpy " in text


def test_verbose_shows_the_traceback(capsys, state):
    _, _, err = command(capsys, "-v", "motifs", "karate")
    assert "Traceback (most recent call last)" in err
    assert "Traceback" not in command(capsys, "motifs", "karate")[2]


def test_old_logs_are_removed(capsys, state):
    state.mkdir(parents=True)
    for number in range(30):
        (state / f"fault-2020-{number:02}.log").touch()
    command(capsys, "motifs", "karate")
    assert len(list(state.iterdir())) == crash.KEPT_LOGS


def test_without_a_folder_for_the_log_it_says_so(capsys, state):
    state.parent.write_text("a file where the folder should be")
    code, _, err = command(capsys, "motifs", "karate")
    assert (code, err.count("\n")) == (1, 1)
    assert "repeat it with 'infomotif -v'" in err
