"""Small SVG: the same picture without what a viewer does not need."""

from __future__ import annotations

import re
from xml.etree import ElementTree

_SVG = "http://www.w3.org/2000/svg"
_LINK = "{http://www.w3.org/1999/xlink}href"
_NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
_REFERENCE = re.compile(r"#([\w.-]+)")
_FAMILY = re.compile(r"font-family: [^;]*(?:; )?")
_COMMON = "*{stroke-linejoin:round;stroke-linecap:butt}text{font-family:'DejaVu Sans',Verdana,sans-serif}"
_SHAPES = ("d", "x", "y", "width", "height", "transform", "points")
_UPRIGHT = re.compile(r"rotate\(-?0 [^)]*\)")


def small_svg(text: str, description: str) -> str:
    """Return an SVG file of Matplotlib in about a fifth of its size, with ``description`` inside.

    Coordinates are rounded to a tenth of a point (small ones to a hundredth), styles that repeat become classes, names
    become short, lines of the same style become one path, and metadata and groups without a meaning are left out.
    """
    root = ElementTree.fromstring(text)  # noqa: S314, our own figure
    for metadata in root.findall(f"{{{_SVG}}}metadata"):
        root.remove(metadata)
    names = {name: f"m{number}" for number, name in enumerate(dict.fromkeys(_references(root)))}
    classes: dict[str, str] = {}
    for element in root.iter():
        _shorten(element, names, classes)
    _flatten(root)
    _join_lines(root, {name for style, name in classes.items() if "fill:none" in style and "opacity" not in style})
    _describe(root, description, classes)
    ElementTree.register_namespace("", _SVG)
    written = ElementTree.tostring(root, encoding="unicode")
    return re.sub(r">\s+<", "><", written).replace(" />", "/>") + "\n"


def _references(root: ElementTree.Element) -> list[str]:
    values = [value for element in root.iter() for value in element.attrib.values()]
    return [name for value in values if value.startswith(("#", "url(")) for name in _REFERENCE.findall(value)]


def _shorten(element: ElementTree.Element, names: dict[str, str], classes: dict[str, str]) -> None:
    attributes = element.attrib
    for key in _SHAPES:
        if key in attributes:
            attributes[key] = _rounded(attributes[key])
    if _UPRIGHT.fullmatch(attributes.get("transform", "")):
        del attributes["transform"]
    if "id" in attributes:
        name = names.get(attributes.pop("id"))
        attributes.update({"id": name} if name else {})
    if _LINK in attributes:
        attributes["href"] = attributes.pop(_LINK)
    for key, value in attributes.items():
        if value.startswith(("#", "url(")):
            attributes[key] = _REFERENCE.sub(lambda match: f"#{names.get(match[1], match[1])}", value)
    style = _FAMILY.sub("", attributes.pop("style", "")).strip("; ").replace(": ", ":").replace("; ", ";")
    if style:
        attributes["class"] = classes.setdefault(style, f"c{len(classes)}")


def _rounded(text: str) -> str:
    text = _NUMBER.sub(lambda match: _short(float(match[0])), text)
    text = re.sub(r"\s+", " ", text).strip()
    return re.sub(r" ?([MLCQz]) ?", r"\1", text)


def _short(value: float) -> str:
    text = f"{value:.{2 if abs(value) < 5 else 1}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _flatten(parent: ElementTree.Element) -> None:
    """Put the content of groups that say nothing in their place."""
    children = []
    for child in list(parent):
        _flatten(child)
        plain = child.tag == f"{{{_SVG}}}g" and not child.attrib
        children += list(child) if plain else [child]
        parent.remove(child)
    parent.extend(children)


def _join_lines(parent: ElementTree.Element, open_lines: set[str]) -> None:
    """Make one path of neighbouring lines that differ in their points only."""
    before = None
    for child in list(parent):
        _join_lines(child, open_lines)
        joins = child.tag == f"{{{_SVG}}}path" and child.get("class") in open_lines
        if joins and before is not None and _look(before) == _look(child):
            before.set("d", before.attrib["d"] + child.attrib["d"])
            parent.remove(child)
        else:
            before = child if joins else None


def _look(path: ElementTree.Element) -> dict[str, str]:
    return {key: value for key, value in path.attrib.items() if key != "d"}


def _describe(root: ElementTree.Element, description: str, classes: dict[str, str]) -> None:
    described = ElementTree.Element(f"{{{_SVG}}}desc")
    described.text = description
    style = ElementTree.Element(f"{{{_SVG}}}style")
    style.text = _COMMON + "".join(f".{name}{{{text}}}" for text, name in classes.items())
    for old in root.findall(f"{{{_SVG}}}defs"):
        if old.find(f"{{{_SVG}}}style") is not None:
            root.remove(old)
    root.insert(0, style)
    root.insert(0, described)
