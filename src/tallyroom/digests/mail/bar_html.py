"""Bars in the HTML of a mail: cells of tables, because Outlook for Windows gives a `div` no width."""

from tallyroom.mail.html.styles import BAR_COLOR, LAYOUT_ATTRIBUTES, TRACK_COLOR

_CELL_STYLE = "font-size:0;line-height:6px"


def build_bar_html(fraction: float) -> str:
    """Return a bar that fills a fraction of its track."""
    percent = round(min(max(fraction, 0), 1) * 100, 1)
    filled_html = (
        f'<td class="bar" width="{percent:g}%" height="6" bgcolor="{BAR_COLOR}" '
        f'style="{_CELL_STYLE};border-radius:3px">&nbsp;</td>'
        if percent
        else ""
    )
    empty_html = f'<td height="6" style="{_CELL_STYLE}">&nbsp;</td>' if percent < 100 else ""  # noqa: PLR2004 # the whole
    return (
        f'<table class="track" {LAYOUT_ATTRIBUTES} width="100%" bgcolor="{TRACK_COLOR}" '
        f'style="margin:3px 0 1px;border-radius:3px"><tr>{filled_html}{empty_html}</tr></table>'
    )
