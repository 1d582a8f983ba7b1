"""The page of a mail: light colors inline, and the dark ones in a style sheet for programs that follow a theme."""

from importlib.resources import files
from string import Template

from tallyroom.mail.html.styles import FONT_FAMILY, LINE_COLOR, SOFT_COLOR

_PAGE_TEMPLATE = Template(files("tallyroom.mail.html").joinpath("page.html").read_text(encoding="utf-8"))


def build_page(
    *, title_html: str, rows_html: str, footer_html: str, width: int, preview_html: str | None = None
) -> str:
    """Return a mail with rows of a table, at most `width` pixels wide.

    `preview_html` is what lists of mails show next to the subject; without it, they show the first words.
    """
    hidden_style = "display:none;max-height:0;overflow:hidden"
    return _PAGE_TEMPLATE.substitute(
        title=title_html,
        preview="" if preview_html is None else f'<div style="{hidden_style}">{preview_html}</div>',
        rows=rows_html,
        footer=footer_html,
        width=width,
        font=FONT_FAMILY,
        soft=SOFT_COLOR,
        line=LINE_COLOR,
    )
