"""A message as a mail: a text, and the same in HTML with the chart in it."""

from html import escape
from typing import Final, NamedTuple

from tallyroom.alerts.channel_types.escaping import truncate
from tallyroom.alerts.channel_types.message import AlertMessage, MessageType
from tallyroom.alerts.channel_types.wording import Wording, describe_message
from tallyroom.mail.html.elements import build_button_html, build_picture_html
from tallyroom.mail.html.page import build_page
from tallyroom.mail.html.styles import (
    BAD_COLOR,
    CARD_COLOR,
    GOOD_COLOR,
    INK_COLOR,
    LAYOUT_ATTRIBUTES,
    LINE_COLOR,
    SOFT_COLOR,
    WARNING_COLOR,
)
from tallyroom.mail.message import InlinePicture, MailMessage

_FOOTER: Final = "You're receiving this email because your address is an alert channel in a Tallyroom workspace."
_MAX_SUBJECT_LENGTH: Final = 200
_WIDTH: Final = 552
_PADDING: Final = 24


class ThemedChart(NamedTuple):
    """The chart of a message as PNG in both themes."""

    light: bytes
    dark: bytes


class _Badge(NamedTuple):
    """A word above the headline, the class of its background in the dark, and its light background."""

    label: str
    css_class: str
    color: str


def build_alert_mail(
    to_address: str, message: AlertMessage, chart: ThemedChart | None, delivery_id: str
) -> MailMessage:
    """Return the email with a message; `delivery_id` begins the Message-ID, which is the same in each attempt."""
    wording = describe_message(message)
    return MailMessage(
        to_address,
        truncate(wording.headline, _MAX_SUBJECT_LENGTH),
        _build_text(wording, message.url),
        html=_build_html(wording, message, has_chart=chart is not None),
        pictures=[InlinePicture("chart", chart.light), InlinePicture("chartdark", chart.dark)] if chart else (),
        message_id=delivery_id,
    )


def _build_text(wording: Wording, link: str) -> str:
    facts = [f"{name}: {value}" for name, value in wording.facts]
    return "\n".join([wording.headline, "", wording.sentence, "", *facts, "", link, "", "-- ", _FOOTER, ""])


def _build_html(wording: Wording, message: AlertMessage, *, has_chart: bool) -> str:
    badge = _BADGE_BY_TYPE.get(message.type) or _BADGE_BY_SEVERITY[message.severity]
    alt_text = escape(f"Chart of the value. {wording.sentence}")
    picture_html = build_picture_html(alt_text, "cid:chart", "cid:chartdark", _WIDTH - 2) if has_chart else ""
    facts_html = "\n".join(_build_fact_html(escape(name), escape(text)) for name, text in wording.facts)
    card_html = (
        f'<tr><td class="card" bgcolor="{CARD_COLOR}" style="padding:0 0 {_PADDING}px;border:1px solid {LINE_COLOR};'
        f'border-radius:10px"><table {LAYOUT_ATTRIBUTES} width="100%">\n'
        f"{_build_block_html(_build_words_html(badge, wording))}\n"
        f'<tr><td style="padding:8px 0 0">{picture_html}</td></tr>\n'
        f'{_build_block_html(f"""<table {LAYOUT_ATTRIBUTES} width="100%">{facts_html}</table>""")}\n'
        f"{_build_block_html(build_button_html(escape(message.url), 'Open the alert', align='left'))}\n"
        '</table></td></tr>\n<tr><td height="20"></td></tr>'
    )
    return build_page(title_html=escape(wording.headline), rows_html=card_html, footer_html=_FOOTER, width=_WIDTH)


def _build_block_html(content_html: str) -> str:
    return f'<tr><td style="padding:{_PADDING - 4}px {_PADDING}px 0">{content_html}</td></tr>'


def _build_words_html(badge: _Badge, wording: Wording) -> str:
    return (
        f'<p style="margin:0 0 12px"><span class="{badge.css_class}" style="display:inline-block;padding:2px 10px;'
        f"border-radius:10px;background:{badge.color};color:#ffffff;font-size:12px;line-height:18px;"
        f'font-weight:600">{badge.label}</span></p>\n'
        f'<h1 class="ink" style="margin:0 0 6px;color:{INK_COLOR};font-size:20px;line-height:26px;font-weight:600;'
        f'letter-spacing:-.02em;overflow-wrap:anywhere">{escape(wording.headline)}</h1>\n'
        f'<p class="ink" style="margin:0;color:{INK_COLOR};font-size:15px;line-height:22px;overflow-wrap:anywhere">'
        f"{escape(wording.sentence)}</p>"
    )


def _build_fact_html(name_html: str, value_html: str) -> str:
    cell_style = f"padding:8px 0;border-top:1px solid {LINE_COLOR};font-size:14px;line-height:20px"
    return (
        f'<tr><td class="soft line" valign="top" style="{cell_style};color:{SOFT_COLOR};white-space:nowrap">{name_html}'
        f'</td><td class="ink line" align="right" style="{cell_style};padding-left:12px;color:{INK_COLOR};'
        f'overflow-wrap:anywhere">{value_html}</td></tr>'
    )


_BADGE_BY_TYPE: Final[dict[MessageType, _Badge]] = {
    "test": _Badge("Test", "soft-badge", SOFT_COLOR),
    "alert.nodata": _Badge("No data", "soft-badge", SOFT_COLOR),
    "alert.resolved": _Badge("Resolved", "good-badge", GOOD_COLOR),
}
_BADGE_BY_SEVERITY: Final = {
    "critical": _Badge("Critical", "bad-badge", BAD_COLOR),
    "warning": _Badge("Warning", "warning-badge", WARNING_COLOR),
}
