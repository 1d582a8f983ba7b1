"""A message as a mail: a text, and the same in HTML with the chart in it."""

from html import escape
from importlib.resources import files
from string import Template
from typing import Final, NamedTuple

from tallyroom.alerts.channel_types.escaping import truncate
from tallyroom.alerts.channel_types.message import AlertMessage, MessageType
from tallyroom.alerts.channel_types.wording import Wording, describe_message
from tallyroom.mail.message import InlinePicture, MailMessage

_PAGE_TEMPLATE: Final = Template(
    files("tallyroom.alerts.channel_types").joinpath("email.html").read_text(encoding="utf-8")
)
_PICTURE_HTML: Final = (
    '<p style="margin: 20px 0 0;"><img src="cid:chart" width="494" alt="The value over the last window" '
    'style="display: block; width: 100%; max-width: 494px; height: auto; border-radius: 8px;"></p>\n'
)
_FACT_TEMPLATE: Final = Template(
    '<tr><td class="muted rule" style="padding: 9px 12px 9px 0; border-top: 1px solid #e2e2e7; color: #5b5b66; '
    'font-size: 14px; line-height: 20px; white-space: nowrap; vertical-align: top;">$name</td>'
    '<td class="strong rule" style="padding: 9px 0; border-top: 1px solid #e2e2e7; color: #17171b; font-size: 14px; '
    'line-height: 20px; text-align: right; overflow-wrap: anywhere;">$value</td></tr>'
)
_FOOTER: Final = "You're receiving this email because your address is an alert channel in a Tallyroom workspace."
_MAX_SUBJECT_LENGTH: Final = 200


class _Badge(NamedTuple):
    """A colored word above the headline, with its color on light and on dark pages."""

    label: str
    light_color: str
    dark_color: str


def build_alert_mail(to_address: str, message: AlertMessage, png: bytes | None, delivery_id: str) -> MailMessage:
    """Return the email with a message; `delivery_id` begins the Message-ID, which is the same in each attempt."""
    wording = describe_message(message)
    return MailMessage(
        to_address,
        truncate(wording.headline, _MAX_SUBJECT_LENGTH),
        _build_text(wording, message.url),
        html=_build_html(wording, message, png),
        pictures=() if png is None else [InlinePicture("chart", png)],
        message_id=delivery_id,
    )


def _build_text(wording: Wording, link: str) -> str:
    facts = [f"{name}: {value}" for name, value in wording.facts]
    return "\n".join([wording.headline, "", wording.sentence, "", *facts, "", link, "", "-- ", _FOOTER, ""])


def _build_html(wording: Wording, message: AlertMessage, png: bytes | None) -> str:
    badge = _BADGE_BY_TYPE.get(message.type) or _BADGE_BY_SEVERITY[message.severity]
    return _PAGE_TEMPLATE.substitute(
        headline=escape(wording.headline),
        sentence=escape(wording.sentence),
        badge=badge.label,
        light=badge.light_color,
        dark=badge.dark_color,
        picture="" if png is None else _PICTURE_HTML,
        facts="\n".join(
            _FACT_TEMPLATE.substitute(name=escape(name), value=escape(text)) for name, text in wording.facts
        ),
        link=escape(message.url),
        footer=_FOOTER,
    )


_BADGE_BY_TYPE: Final[dict[MessageType, _Badge]] = {
    "test": _Badge("Test", "#5b5b66", "#c4c4cd"),
    "alert.nodata": _Badge("No data", "#5b5b66", "#c4c4cd"),
    "alert.resolved": _Badge("Resolved", "#15803d", "#4ade80"),
}
_BADGE_BY_SEVERITY: Final = {
    "critical": _Badge("Critical", "#c01f1a", "#fb8f88"),
    "warning": _Badge("Warning", "#a35a00", "#fbbf4d"),
}
