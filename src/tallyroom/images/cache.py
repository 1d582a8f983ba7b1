"""A shortcut for a picture that was requested with the same URL before, or for a refusal while too many are drawn."""

from typing import Any

from litestar import Request, Response
from litestar.types import HTTPScope
from msgspec import UNSET

from tallyroom.core.notices import Notices
from tallyroom.images.messages import Picture
from tallyroom.images.renderer import Renderer
from tallyroom.rest.answer import Header, HttpAnswer
from tallyroom.rest.notice_header import NOTICE_HEADER, format_notice_header

PICTURE_HEADERS = {
    "cache-control": "public, max-age=60",
    "x-content-type-options": "nosniff",
    # An SVG opened directly is a document of this host: it may style itself and do nothing else.
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "cross-origin-resource-policy": "cross-origin",
}
"""The headers of every picture, in addition to its tag."""

_PATH_PREFIX = "/custom/"
_HEADER_PAIRS: list[Header] = [(name.encode(), value.encode()) for name, value in PICTURE_HEADERS.items()]


class PictureCache:
    """Answers a GET for a cached picture without the framework and without reading its numbers."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer

    async def __call__(self, scope: HTTPScope) -> HttpAnswer | None:
        """Return the answer; None if the picture must be drawn. Raises `Unavailable` if too many are waiting."""
        if not scope["path"].startswith(_PATH_PREFIX):
            return None
        picture = (
            self._renderer.get_cached((scope["path"], scope["query_string"])) if scope["method"] == "GET" else None
        )
        if picture is None:
            await self._renderer.refuse_if_full()
            return None
        if_none_match = b",".join(value for name, value in scope["headers"] if name == b"if-none-match")
        headers = [*_HEADER_PAIRS, (b"etag", picture.tag.encode())]
        if is_known_to_client(picture, if_none_match.decode("latin-1")):
            return HttpAnswer(304, b"", headers, picture.format.encode())
        return HttpAnswer(200, picture.body, headers, picture.format.encode())


def picture_response(
    request: Request[Any, Any, Any], picture: Picture, answer_notices: Notices = UNSET
) -> Response[bytes]:
    """Return the response with a picture, or without it if the client has it.

    Notices of the answer that it shows are a header; with any, clients ask again before they show it another time.
    """
    headers = PICTURE_HEADERS | {"etag": picture.tag}
    if answer_notices is not UNSET:
        headers |= {"cache-control": "public, no-cache", NOTICE_HEADER: format_notice_header(answer_notices)}
    if request.method == "GET" and is_known_to_client(picture, request.headers.get("if-none-match", "")):
        return Response(b"", status_code=304, headers=headers)
    return Response(picture.body, media_type=picture.format, headers=headers)


def is_known_to_client(picture: Picture, if_none_match: str) -> bool:
    """Return True if the client says that it has this picture."""
    known_tags = [tag.strip().removeprefix("W/") for tag in if_none_match.split(",")]
    return picture.tag in known_tags or "*" in known_tags
