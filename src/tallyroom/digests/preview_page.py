"""GET /v1/digests/:id/preview.html: the mail as a separate page, for the frame in the web app.

The web app allows no inline styles, and every mail needs them. So the frame shows the mail under a policy that allows
its styles and its pictures, and nothing else (rules/digests#preview).
"""

from html import escape
from typing import Annotated, Literal

from litestar import MediaType, Response, get
from litestar.params import FromPath, QueryParameter

from tallyroom.auth.guards import require_member
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.core.clock import Clock
from tallyroom.core.settings import Settings
from tallyroom.digests import service
from tallyroom.digests.preview import build_preview
from tallyroom.digests.rendering import DigestRenderer
from tallyroom.rest.injected import Injected
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.metadata.connection import Database

ThemeChoice = Literal["light", "dark", "auto"]
ChosenTheme = Annotated[
    ThemeChoice, QueryParameter(description="`auto` follows the reader's system, as the sent email does.")
]

_HEADERS = {
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'",
    "referrer-policy": "no-referrer",
}
_HEAD_TAG, _STYLE_END = "<head>", "</style>"
_DARK_QUERY = "(prefers-color-scheme: dark)"
_QUERY_BY_THEME: dict[ThemeChoice, str] = {"light": "not all", "dark": "all", "auto": _DARK_QUERY}


@get("/{digest_id:str}/preview.html", guards=[require_member], media_type=MediaType.HTML)
async def frame_digest(  # noqa: PLR0913, PLR0917 # what it reads and renders with
    digest_id: FromPath[str],
    database: Injected[Database],
    principal: Injected[MemberPrincipal],
    digest_renderer: Injected[DigestRenderer],
    reader: Injected[EventReader],
    settings: Injected[Settings],
    clock: Injected[Clock],
    theme: ChosenTheme = "auto",
) -> Response[bytes]:
    """The email as it would be sent now, as a page for a frame. Its head has the subject; links open in a new tab."""
    async with database.session(write=False) as db:
        await service.check_digest_visible(db, principal, digest_id)
    preview = await build_preview(digest_renderer, reader, digest_id, clock, settings.public_url)
    head = f'{_HEAD_TAG}\n<base target="_blank">\n<meta name="subject" content="{escape(preview.subject)}">'
    page = _show_theme(preview.html, theme).replace(_HEAD_TAG, head, 1)
    return Response(page.encode(), media_type=MediaType.HTML, headers=_HEADERS)


def _show_theme(html: str, theme: ThemeChoice) -> str:
    """Return a mail whose own style sheet shows a theme."""
    head, style_end, body = html.partition(_STYLE_END)
    before, _, after = head.rpartition(_DARK_QUERY)
    return f"{before}{_QUERY_BY_THEME[theme]}{after}{style_end}{body}"
