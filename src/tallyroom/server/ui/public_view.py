"""The page of a public dashboard at `/p/:slug`, and its "not found" page (rules/boards#public-page)."""

import re
from collections.abc import Awaitable, Callable, Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from tallyroom.core.errors import NotFound
from tallyroom.rest.answer import Header, HttpAnswer
from tallyroom.rest.static_file import REVALIDATE, StaticFile
from tallyroom.rest.styles import hash_style_sheet
from tallyroom.server.ui.web_app import build_policy

_SOURCE = files("tallyroom.server.ui").joinpath("published.html").read_text(encoding="utf-8")
_PLAIN_PAGE = Template(_SOURCE)
_TITLE_PATTERN = re.compile(rb"<title>.*?</title>", re.DOTALL)
_NO_DESCRIPTION = "Numbers that are always up to date."
_NOTHING_BODY = """\
<svg width="32" height="32" viewBox="0 0 32 32" aria-hidden="true"><path d="M8 7v18M13 7v18M18 7v18M23 7v18"/></svg>
<h1>Nothing here</h1>
<p>There is no public dashboard at this address. It may be private, or have a new address.</p>"""


class PublishedPage(NamedTuple):
    """What a page shows before its script runs; `pictures` are ids and titles of widgets that have one."""

    name: str
    description: str | None
    pictures: Sequence[tuple[str, str]]
    has_preview: bool


class PublishedPages:
    """Builds the pages: `app_page` of the built web app, or, without one, pages of pictures.

    `find_page` raises `NotFound` for an unknown slug. `pictures_url` is "" unless images have a separate host name.
    """

    def __init__(
        self,
        find_page: Callable[[str], Awaitable[PublishedPage]],
        app_page: bytes | None,
        pictures_url: str,
        *,
        is_https: bool,
    ) -> None:
        self._find_page = find_page
        self._app_page = app_page
        self._pictures_url = pictures_url
        self._is_https = is_https

    async def answer(self, slug: str, base_url: str, headers: Sequence[Header], *, may_be_framed: bool) -> HttpAnswer:
        """Return the page of a dashboard, or the "not found" page with status 404; `slug` is decoded."""
        try:
            page = await self._find_page(slug)
        except NotFound:
            body = _PLAIN_PAGE.substitute(head="<title>Nothing here · Tallyroom</title>", body=_NOTHING_BODY).encode()
            file = self._build_file(body, self._build_plain_policy(may_be_framed=may_be_framed))
            return file.build_answer([])._replace(status=404)
        head = self._build_head(page, quote(slug, safe=""), base_url)
        if self._app_page is None:
            body = _PLAIN_PAGE.substitute(head=head, body=self._build_plain_body(page, quote(slug, safe=""))).encode()
            return self._build_file(body, self._build_plain_policy(may_be_framed=may_be_framed)).build_answer(headers)
        body = _TITLE_PATTERN.sub(lambda _: head.encode(), self._app_page, count=1)
        return self._build_file(body, build_policy(may_be_framed=may_be_framed)).build_answer(headers)

    def _build_head(self, page: PublishedPage, slug: str, base_url: str) -> str:
        description = page.description or _NO_DESCRIPTION
        properties = {
            "og:type": "website",
            "og:site_name": "Tallyroom",
            "og:title": page.name,
            "og:description": description,
            "og:url": f"{base_url}/p/{slug}",
        }
        if page.has_preview:
            properties["og:image"] = f"{self._pictures_url or base_url}/custom/dashboards/{slug}.png"
        card = "summary_large_image" if page.has_preview else "summary"
        return "\n".join(
            [
                f"<title>{escape(page.name)} · Tallyroom</title>",
                _build_meta("name", "description", description),
                _build_meta("name", "robots", "noindex"),
                *(_build_meta("property", name, content) for name, content in properties.items()),
                _build_meta("name", "twitter:card", card),
                f'<link rel="preload" as="fetch" crossorigin href="/v1/public/dashboards/{slug}">'
                if self._app_page is not None
                else "",
            ]
        )

    def _build_plain_body(self, page: PublishedPage, slug: str) -> str:
        """Return the page without a script: the picture of each widget that has one."""
        elements = [f"<h1>{escape(page.name)}</h1>", f"<p>{escape(page.description or '')}</p>"]
        for widget_id, title in page.pictures:
            path = f"{self._pictures_url}/custom/widgets/{slug}/{quote(widget_id, safe='')}"
            elements.append(f'<a href="{path}.png"><img src="{path}.svg?theme=auto" alt="{escape(title)}"></a>')
        return "\n".join(elements)

    def _build_plain_policy(self, *, may_be_framed: bool) -> str:
        pictures_origin = urlsplit(self._pictures_url)
        picture_sources = (
            f"'self' {pictures_origin.scheme}://{pictures_origin.netloc}" if self._pictures_url else "'self'"
        )
        ancestors = "*" if may_be_framed else "'none'"
        return (
            f"default-src 'none'; img-src {picture_sources}; style-src {hash_style_sheet(_SOURCE)}; base-uri 'none'; "
            f"form-action 'none'; frame-ancestors {ancestors}"
        )

    def _build_file(self, body: bytes, policy: str) -> StaticFile:
        headers: list[Header] = [
            (b"content-security-policy", policy.encode()),
            (b"referrer-policy", b"same-origin"),
            (b"x-robots-tag", b"noindex"),
        ]
        if self._is_https:
            headers.append((b"cross-origin-opener-policy", b"same-origin"))
        return StaticFile.of("p.html", {"": body}, REVALIDATE, headers)


def _build_meta(kind: str, name: str, content: str) -> str:
    return f'<meta {kind}="{name}" content="{escape(content)}">'
