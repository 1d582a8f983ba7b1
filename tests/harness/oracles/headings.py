"""The headings of Markdown pages, as links name them."""

import re
from pathlib import Path

_MARKS = re.compile(r"[^\w -]")


def slug(heading: str) -> str:
    """The anchor that GitHub makes of a heading."""
    return _MARKS.sub("", heading.lower()).replace(" ", "-")


def anchors(page: Path) -> list[str]:
    """The anchors of all headings of a page, in order."""
    return [slug(heading) for heading in re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)]
