"""A whole mail: made once for a digest, and then for each of its recipients with their own link."""

import base64
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from tallyroom.digests.mail.contents import BigNumber, WidgetPart
from tallyroom.digests.mail.head import MailHead
from tallyroom.digests.mail.html import MAX_BYTES, as_html, part_as_html
from tallyroom.digests.mail.text import as_text
from tallyroom.mail.message import InlinePicture, Letter

_MAX_PREVIEW_NUMBERS = 3
_PNG = "data:image/png;base64,"


class RenderedDigest(NamedTuple):
    """A digest that is ready to be sent."""

    subject: str
    head: MailHead
    parts: Sequence[WidgetPart]
    pictures: Mapping[str, bytes]

    def letter(self, address: str, message_id: str, unsubscribe_url: str) -> Letter:
        """Return the mail to one recipient."""
        parts_html, head = self._shown(lambda name: f"cid:{name}")
        html = as_html(head, parts_html, self._preview(), unsubscribe_url)
        return Letter(
            to=address,
            subject=self.subject,
            text=as_text(self.head, self.parts, unsubscribe_url),
            html=html,
            pictures=[InlinePicture(name, png) for name, png in self.pictures.items() if f'"cid:{name}"' in html],
            message_id=message_id,
            unsubscribe_url=unsubscribe_url,
        )

    def page(self, unsubscribe_url: str) -> str:
        """Return the HTML with its pictures in it, for a browser."""
        parts_html, head = self._shown(lambda name: _PNG + base64.b64encode(self.pictures[name]).decode())
        return as_html(head, parts_html, self._preview(), unsubscribe_url)

    def text(self, unsubscribe_url: str) -> str:
        """Return the text."""
        return as_text(self.head, self.parts, unsubscribe_url)

    def _shown(self, picture_url: Callable[[str], str]) -> tuple[list[str], MailHead]:
        """Return the HTML of as many parts as a mail program shows, and the head that says how many are left out."""
        parts_html: list[str] = []
        size = 0
        for part in self.parts:
            size += len(part_as_html(part, str).encode())
            if size > MAX_BYTES:
                break
            parts_html.append(part_as_html(part, picture_url))
        return parts_html, self.head._replace(more=self.head.more + len(self.parts) - len(parts_html))

    def _preview(self) -> str:
        """Return the first numbers, which lists of mails show beside the subject."""
        numbers = [
            f"{content.label or part.title}: {content.value}{f' {content.change.arrow}' if content.change else ''}"
            for part in self.parts
            for content in part.contents
            if isinstance(content, BigNumber)
        ]
        return " · ".join(numbers[:_MAX_PREVIEW_NUMBERS]) or self.head.period
