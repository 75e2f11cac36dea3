"""Files and folders: after every fault they are the old ones or the new ones, never half; what is done stays."""

from __future__ import annotations

from pathlib import Path

from infomotif._core.checksums import append_line, read_lines
from infomotif._core.files import whole_folder, write_text
from tests.fault_injection.disk import every_fault


def test_a_file_is_the_old_one_or_the_new_one_whatever_happens(tmp_path: Path) -> None:
    template = tmp_path / "template"
    template.mkdir()
    write_text(template / "note", "old " * 100)

    def check(folder: Path, outcome: str) -> None:
        text = (folder / "note").read_text()
        assert text == "new " * 100 or (outcome != "done" and text == "old " * 100)
        write_text(folder / "note", "last")
        assert [path.name for path in folder.iterdir()] == ["note"]

    assert every_fault(template, tmp_path, lambda folder: write_text(folder / "note", "new " * 100), check) > 20


def test_a_folder_is_there_with_everything_or_not_at_all(tmp_path: Path) -> None:
    template = tmp_path / "template"
    template.mkdir()

    def act(folder: Path) -> None:
        with whole_folder(folder / "deep" / "made") as aside:
            for name in ("a", "b"):
                (aside / name).write_text(name * 100)

    def check(folder: Path, outcome: str) -> None:
        made = folder / "deep" / "made"
        assert made.exists() or outcome != "done"
        if not made.exists():
            act(folder)
        assert {path.name: path.read_text() for path in made.iterdir()} == {"a": "a" * 100, "b": "b" * 100}
        assert [path.name for path in made.parent.iterdir()] == ["made"]

    assert every_fault(template, tmp_path, act, check) > 40


def test_a_durable_line_is_read_whole_or_not_at_all(tmp_path: Path) -> None:
    template = tmp_path / "template"
    template.mkdir()

    def act(folder: Path) -> None:
        for number in (1, 2):
            append_line(folder / "log.jsonl", {"a": number}, durable=True)

    def check(folder: Path, outcome: str) -> None:
        found = [record for _, record in read_lines(folder / "log.jsonl")]
        assert found == [{"a": 1}, {"a": 2}][: len(found)]
        assert len(found) == 2 or outcome != "done"
        append_line(folder / "log.jsonl", {"a": 3}, durable=True)
        assert read_lines(folder / "log.jsonl")[-1][1] == {"a": 3}

    assert every_fault(template, tmp_path, act, check) > 15
