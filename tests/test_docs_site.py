"""The documentation site builds without a warning and without a network, and every link in it leads somewhere.

Programs of the gallery are not run here: the build of the site does that.
"""

from __future__ import annotations

import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


class Links(HTMLParser):
    """The ids of a page, and what it refers to."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.targets: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" or (tag == "a" and name == "name"):
                self.ids.add(value or "")
            elif name in ("href", "src") and value:
                self.targets.add(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    environment = {k: v for k, v in os.environ.items() if k not in ("READTHEDOCS", "INFOMOTIF_DOCS_ONLINE")}
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-D", "plot_gallery=0",
         "-d", str(folder / "doctrees"), str(ROOT / "docs"), str(folder / "html")],
        env=environment | {"PYTHONPATH": str(ROOT / "src")}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder / "html"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Links]:
    read = {}
    for path in site.rglob("*.html"):
        read[path] = Links()
        read[path].feed(path.read_text(encoding="utf-8"))
    return read


def test_every_link_within_the_site_leads_somewhere(site: Path, pages: dict[Path, Links]):
    broken = []
    for path, page in pages.items():
        for target in page.targets:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            file = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            file = file / "index.html" if file.is_dir() else file
            # Listings of source code link back by the first public name of their module only.
            wanted = "" if path.is_relative_to(site / "_modules") else unquote(parts.fragment)
            known = pages[file].ids if file in pages else {wanted}
            if not file.exists() or (wanted and wanted not in known):
                broken.append(f"{path.relative_to(site)}: {target}")
    assert sorted(broken) == []


def test_pages_load_nothing_from_the_network(site: Path, pages: dict[Path, Links]):
    loaded = {}
    for path in pages:
        text = path.read_text(encoding="utf-8")
        if 'src="http' in text or '<link rel="stylesheet" type="text/css" href="http' in text:
            loaded[path.relative_to(site)] = True
    assert loaded == {}


def test_the_footer_names_the_authors(site: Path):
    assert "The InfoMotif developers" in (site / "index.html").read_text(encoding="utf-8").split("<footer")[1]
