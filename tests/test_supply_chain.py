"""What builds and tests the package is pinned: actions by commit, packages by hash, and the lock by the constraints."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PIN = re.compile(r"^([A-Za-z0-9_.-]+)==([^\s\\;]+)", re.M)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_pinned_by_commit(path):
    text = path.read_text()
    yaml.safe_load(text)
    used = re.findall(r"uses: (\S+)", text)
    assert used
    assert all(re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action) for action in used), used


@pytest.mark.parametrize("name", ["requirements.lock", "tools.lock"])
def test_every_package_of_a_lock_has_a_hash(name):
    text = (ROOT / ".ci" / name).read_text()
    packages = re.split(r"^(?=[A-Za-z0-9])", text, flags=re.M)[1:]
    assert len(packages) > 20
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}", package) for package in packages)
    assert "://" not in text


def test_the_lock_has_the_versions_of_the_constraints():
    def pins(path):
        return {re.sub(r"[-_.]+", "-", name).lower(): version for name, version in PIN.findall(path.read_text())}

    constraints, lock = pins(ROOT / "constraints.txt"), pins(ROOT / ".ci" / "requirements.lock")
    del constraints["torch"]
    assert lock == constraints


def test_releases_are_audited_and_have_a_bill_of_materials():
    assert "pip_audit" in (ROOT / ".github" / "workflows" / "ci.yml").read_text()
    assert "cyclonedx-py" in (ROOT / ".github" / "workflows" / "release.yml").read_text()
