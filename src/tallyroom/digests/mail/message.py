"""A whole mail: rendered once for a digest, and then for each of its recipients with their own link."""

import base64
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from tallyroom.dashboards.mail.contents import BigNumber, WidgetPart
from tallyroom.digests.mail.head import MailHead
from tallyroom.digests.mail.html import MAX_ROWS_BYTES, PictureUrlBuilder, build_html, build_row_html
from tallyroom.digests.mail.rows import PlacedPart, place_parts
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
        html = self._build_html(lambda picture_name: f"cid:{picture_name}", unsubscribe_url)
        return MailMessage(
            to=address,
            subject=self.subject,
            text=self.render_text(unsubscribe_url),
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
        return self._build_html(
            lambda picture_name: _PNG_URL_PREFIX + base64.b64encode(self.png_by_name[picture_name]).decode(),
            unsubscribe_url,
        )

    def render_text(self, unsubscribe_url: str) -> str:
        """Return the text."""
        return build_text(self.head, self.parts, unsubscribe_url)

    def _build_html(self, build_picture_url: PictureUrlBuilder, unsubscribe_url: str) -> str:
        """Return the HTML with as many rows as a mail program shows; its end states how many parts are left out."""
        rows = self._list_shown_rows()
        shown_count = sum(map(len, rows))
        head = self.head._replace(left_out_count=self.head.left_out_count + len(self.parts) - shown_count)
        rows_html = [build_row_html(row, build_picture_url) for row in rows]
        return build_html(head, rows_html, self._build_preview_text(), unsubscribe_url)

    def _list_shown_rows(self) -> list[list[PlacedPart]]:
        rows = place_parts(self.parts)
        byte_counts = accumulate(len(build_row_html(row, str).encode()) for row in rows)
        return [row for row, byte_count in zip(rows, byte_counts, strict=True) if byte_count <= MAX_ROWS_BYTES]

    def _build_preview_text(self) -> str:
        """Return the first numbers, which lists of mails show next to the subject."""
        number_texts = [
            " ".join(
                [f"{content.label or part.title}: {content.value}", content.change.short_text if content.change else ""]
            )
            for part in self.parts
            for content in part.contents
            if isinstance(content, BigNumber)
        ]
        return " · ".join(text.strip() for text in number_texts[:_MAX_PREVIEW_NUMBERS]) or self.head.period_text
