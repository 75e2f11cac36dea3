"""Take a picture of every page of the built site: ``python docs/screenshots.py site shots [PAGE ...]``.

Desktop and phone, light and dark. It prints the height of each page, and warns of pages that are wider than the screen.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

SIZES = {"desktop": (1280, 900), "phone": (390, 844)}
THEMES = ("light", "dark")
MAX_HEIGHT = 12_000
"""Pictures of longer pages are cut off there."""
LEFT_OUT = ("_modules", "_static", "_sources")


def shoot(page: Page, file: Path, target: Path, size: tuple[int, int]) -> tuple[int, int]:
    """Take the picture of one page, and return the width and height of its contents."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(file.resolve().as_uri())
    width, height = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    clip = {"x": 0, "y": 0, "width": size[0], "height": min(height, MAX_HEIGHT)}
    page.screenshot(path=target, full_page=True, clip=clip)
    return width, height


def main() -> None:
    """Take all pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("pages", nargs="*", help="only these, such as guides/pyg")
    arguments = parser.parse_args()
    files = [
        f for f in sorted(arguments.site.rglob("*.html")) if f.relative_to(arguments.site).parts[0] not in LEFT_OUT
    ]
    arguments.out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for theme in THEMES:
            page = browser.new_context(color_scheme=theme).new_page()
            for file in files:
                name = file.relative_to(arguments.site).with_suffix("").as_posix()
                if arguments.pages and name not in arguments.pages:
                    continue
                for screen, size in SIZES.items():
                    target = arguments.out / f"{name.replace('/', '-')}-{screen}-{theme}.png"
                    width, height = shoot(page, file, target, size)
                    if theme == "light":
                        wide = f", {width - size[0]} px too wide" if width > size[0] else ""
                        print(f"{name}: {height} px on a {screen}{wide}")  # noqa: T201


if __name__ == "__main__":
    main()
