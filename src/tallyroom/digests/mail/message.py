"""A whole mail: rendered once for a digest, and then for each of its recipients with their own link."""

import base64
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from tallyroom.dashboards.mail.contents import BigNumber, WidgetPart
from tallyroom.digests.mail.head import MailHead
from tallyroom.digests.mail.html import MAX_PARTS_BYTES, build_html, build_part_html
from tallyroom.digests.mail.text import build_text
from tallyroom.mail.message import InlinePicture, MailMessage

_MAX_PREVIEW_NUMBERS = 3
_PNG_URL_PREFIX = "data:image/png;base64,"


class RenderedDigest(NamedTuple):
    """A digest that is ready to be sent."""

    subject: str
    head: MailHead
    parts: Sequence[WidgetPart]
    png_by_name: Mapping[str, bytes]

    def build_message(self, address: str, message_id: str, unsubscribe_url: str) -> MailMessage:
        """Return the mail to one recipient."""
        parts_html, head = self._build_parts_html(lambda picture_name: f"cid:{picture_name}")
        html = build_html(head, parts_html, self._build_preview_text(), unsubscribe_url)
        return MailMessage(
            to=address,
            subject=self.subject,
            text=build_text(self.head, self.parts, unsubscribe_url),
            html=html,
            pictures=[
                InlinePicture(picture_name, png)
                for picture_name, png in self.png_by_name.items()
                if f'"cid:{picture_name}"' in html
            ],
            message_id=message_id,
            unsubscribe_url=unsubscribe_url,
        )

    def render_page(self, unsubscribe_url: str) -> str:
        """Return the HTML with its pictures in it, for a browser."""
        parts_html, head = self._build_parts_html(
            lambda picture_name: _PNG_URL_PREFIX + base64.b64encode(self.png_by_name[picture_name]).decode()
        )
        return build_html(head, parts_html, self._build_preview_text(), unsubscribe_url)

    def render_text(self, unsubscribe_url: str) -> str:
        """Return the text."""
        return build_text(self.head, self.parts, unsubscribe_url)

    def _build_parts_html(self, build_picture_url: Callable[[str], str]) -> tuple[list[str], MailHead]:
        """Return the HTML of as many parts as a mail program shows, and the head, which says how many are left out."""
        parts_html: list[str] = []
        byte_count = 0
        for part in self.parts:
            byte_count += len(build_part_html(part, str).encode())
            if byte_count > MAX_PARTS_BYTES:
                break
            parts_html.append(build_part_html(part, build_picture_url))
        return parts_html, self.head._replace(
            left_out_count=self.head.left_out_count + len(self.parts) - len(parts_html)
        )

    def _build_preview_text(self) -> str:
        """Return the first numbers, which lists of mails show next to the subject."""
        number_texts = [
            f"{content.label or part.title}: {content.value}{f' {content.change.arrow}' if content.change else ''}"
            for part in self.parts
            for content in part.contents
            if isinstance(content, BigNumber)
        ]
        return " · ".join(number_texts[:_MAX_PREVIEW_NUMBERS]) or self.head.period_text
