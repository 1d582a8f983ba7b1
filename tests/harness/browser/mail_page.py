"""The HTML of a mail as a mail program reads it."""

from html.parser import HTMLParser


class MailPage(HTMLParser):
    """Tags with their attributes, and the text that is shown.

    Args:
        html: the HTML.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self._silent = 0
        self.feed(html)
        self.close()

    @property
    def text(self) -> str:
        """The text without the head."""
        return " ".join(" ".join(self.words).split())

    def of(self, tag: str, attribute: str) -> list[str]:
        """The values of an attribute of all tags with this name that have it."""
        return [value for name, found in self.tags if name == tag and (value := found.get(attribute)) is not None]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._silent += tag in {"style", "title"}

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in {"style", "title"}

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.words.append(data)
