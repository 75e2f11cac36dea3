"""Pictures of a run's page for the docs: ``python docs/images/page.py RUN NODE``, with Debian's chromium."""

import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
CHROMIUM = {"executable_path": "/usr/bin/chromium", "args": ["--no-sandbox", "--disable-gpu"]}


def main(run: str, node: str) -> None:
    """Picture the map in light and one node in dark."""
    page_file = (Path(run) / "report.html").resolve().as_uri()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**CHROMIUM)
        page = browser.new_page(viewport={"width": 1240, "height": 860}, color_scheme="light")
        page.goto(page_file)
        page.wait_for_selector("html[data-ready]")
        page.evaluate("document.querySelector('#map').scrollIntoView()")
        page.screenshot(path=HERE / "map.png")
        page = browser.new_page(viewport={"width": 1180, "height": 800}, color_scheme="dark")
        page.goto(f"{page_file}#node={node}")
        page.wait_for_selector("dialog[open]")
        page.screenshot(path=HERE / "node.png")
        browser.close()
    for name in ("map.png", "node.png"):
        Image.open(HERE / name).convert("RGB").quantize(96).save(HERE / name, optimize=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
