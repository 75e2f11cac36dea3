"""Small pieces of HTML for notebooks: everything is escaped, and colours are those of the text around."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

from infomotif.errors import printable

_CELL = "text-align:left;vertical-align:middle;padding:.15em .8em .15em 0;border:0;background:none"
_NUMBER = _CELL.replace("left", "right", 1) + ";font-variant-numeric:tabular-nums"
_LONGEST = 200


class Markup(str):
    """HTML that is safe as it is; every other text is escaped."""

    __slots__ = ()


def escape(value: object) -> Markup:
    """Return a value as HTML: text with nothing in it that a browser would obey.

    Example:
        >>> escape("<b>&"), escape(Markup("<b>"))
        ('&lt;b&gt;&amp;', '<b>')
    """
    if isinstance(value, Markup):
        return value
    text = printable(str(value))
    text = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return Markup(html.escape(text.encode("utf-8", "backslashreplace").decode()))


def block(*parts: object) -> str:
    """Return what ``_repr_html_`` gives back: parts under each other.

    Example:
        >>> block("a<b").count("&lt;")
        1
    """
    inner = "".join(escape(part) for part in parts)
    return f'<div style="line-height:1.4;max-width:60em;overflow-x:auto">{inner}</div>'


def heading(title: object, note: object = "") -> Markup:
    """Return a title in bold with a note after it."""
    return Markup(f'<div style="margin:.2em 0 .4em">{strong(title)} {muted(note)}</div>')


def strong(text: object) -> Markup:
    """Return text in bold."""
    return Markup(f"<strong>{escape(text)}</strong>") if text else Markup("")


def muted(text: object) -> Markup:
    """Return text that stands back."""
    return Markup(f'<span style="opacity:.7">{escape(text)}</span>') if text else Markup("")


def table(rows: Iterable[Sequence[object]], header: Sequence[object] = ()) -> Markup:
    """Return a table; numbers are right-aligned.

    Args:
        rows: Cells of each row; whole numbers get thousands separators.
        header: Headings of the columns, none by default.

    Example:
        >>> table([["M7", 1234]]).count("1,234")
        1
    """
    lines = [list(row) for row in rows]
    numeric = [all(isinstance(row[j], int | float) for row in lines) for j in range(len(lines[0]))] if lines else []
    head = "".join(
        f'<th style="{_NUMBER if right else _CELL};opacity:.7;font-weight:600">{escape(name)}</th>'
        for name, right in zip(header, numeric, strict=False)
    )
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in lines)
    top = f"<thead><tr>{head}</tr></thead>" if head else ""
    return Markup(f'<table style="border-collapse:collapse;margin:.2em 0;border:0">{top}<tbody>{body}</tbody></table>')


def _cell(value: object) -> str:
    if isinstance(value, int | float):
        shown = f"{value:,}" if isinstance(value, int) else f"{value:,.4g}"
        return f'<td style="{_NUMBER}">{shown}</td>'
    return f'<td style="{_CELL}">{escape(value)}</td>'


def bar(share: float, *, width: int = 120) -> Markup:
    """Return a horizontal bar of ``share`` (0 to 1) of ``width`` pixels, in the colour of the text.

    Example:
        >>> "width:60.0px" in bar(0.5)
        True
    """
    length = width * min(1.0, max(0.0, float(share)))
    style = "display:inline-block;vertical-align:middle;height:.7em;background:currentColor;opacity:.45;min-width:1px"
    return Markup(f'<span style="{style};width:{length:.1f}px"></span>')


def details(summary: object, content: object) -> Markup:
    """Return content that is folded away until somebody opens it."""
    return Markup(f'<details><summary style="cursor:pointer">{escape(summary)}</summary>{escape(content)}</details>')
