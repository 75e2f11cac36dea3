"""Pictures of a run for the README and the docs, with Debian's chromium.

COLUMNS=88 infomotif train cora --ratio 0.05 --preset joint --splits 5 --out runs/cora | tee train.txt
python docs/images/page.py runs/cora 28290 train.txt
"""

import base64
import html
import io
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

HERE = Path(__file__).parent
CHROMIUM = {"executable_path": "/usr/bin/chromium", "args": ["--no-sandbox", "--disable-gpu"]}
COMMAND = "infomotif train cora --ratio 0.05 --preset joint --splits 5"
FRONT = """<!doctype html><meta charset="utf-8"><style>
body {{margin: 0; width: 1640px; background: #0b0e11; color: #e8eaed; font: 20px/1.4 system-ui, sans-serif}}
main {{display: grid; grid-template-columns: 748px 1fr; gap: 20px; padding: 24px; align-items: start}}
figure {{margin: 0}}
figcaption {{margin: 0 0 8px; color: #aeb6bf}}
b {{color: #fff}}
pre, img {{display: block; box-sizing: border-box; width: 100%; margin: 0}}
pre, img {{border: 1px solid #343b44; border-radius: 10px}}
pre {{padding: 16px 14px; background: #14181d; font: 13.4px/1.34 'DejaVu Sans Mono', monospace}}
pre em {{color: #56b4e9; font-style: normal}}
div {{display: grid; gap: 20px}}
</style><main><div><figure><figcaption><b>Train</b> beside the plain GNN, on the same splits</figcaption>
<pre><em>$ {command}</em>\n{text}</pre></figure>
<figure><figcaption><b>Map</b> of the nodes as the model sees them</figcaption><img src="{map}"></figure></div>
<figure><figcaption><b>Why?</b> The motif instances that decided this paper</figcaption><img src="{node}"></figure>
</main>"""


def shot(browser: Browser, address: str, ready: str, size: tuple[int, int], scheme: str) -> Image.Image:
    """Return the page at an address as a picture."""
    page = browser.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
    page.goto(address)
    page.wait_for_selector(ready)
    if "#node" not in address:
        page.evaluate("document.querySelector('#map')?.scrollIntoView()")
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def inline(picture: Image.Image) -> str:
    """Return a picture as a data address."""
    out = io.BytesIO()
    picture.save(out, "png")
    return "data:image/png;base64," + base64.b64encode(out.getvalue()).decode()


def main(run: str, node: str, transcript: str) -> None:
    """Picture the map, one node, and both next to the output of the training."""
    address = (Path(run) / "report.html").resolve().as_uri()
    text = html.escape(Path(transcript).read_text(encoding="utf-8").split("run folder:")[0].strip("\n"))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**CHROMIUM)
        pictures = {
            "map": shot(browser, address, "html[data-ready]", (1240, 860), "light"),
            "node": shot(browser, f"{address}#node={node}", "dialog[open]", (1180, 800), "dark"),
        }
        dark = shot(browser, address, "html[data-ready]", (1240, 860), "dark").crop((30, 282, 1210, 824))
        tall = shot(browser, f"{address}#node={node}", "dialog[open]", (1120, 1056), "dark").crop((30, 16, 1090, 1040))
        page = browser.new_page(viewport={"width": 1640, "height": 900})
        page.set_content(FRONT.format(command=COMMAND, text=text, map=inline(dark), node=inline(tall)))
        pictures["front"] = Image.open(io.BytesIO(page.screenshot(full_page=True))).convert("RGB")
        browser.close()
    for name, picture in pictures.items():
        picture.quantize(256, dither=Image.Dither.NONE).save(HERE / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
