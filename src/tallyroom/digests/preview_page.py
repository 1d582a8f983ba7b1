"""GET /v1/digests/:id/preview.html: the mail as a separate page, for the frame in the web app.

The web app allows no inline styles, and every mail needs them. So the frame shows the mail under a policy that allows
its styles and its pictures, and nothing else (rules/digests#preview).
"""

from html import escape

from litestar import MediaType, Response, get
from litestar.params import FromPath

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

_HEADERS = {
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'",
    "referrer-policy": "no-referrer",
}
_HEAD_TAG = "<head>"


@get("/{digest_id:str}/preview.html", guards=[require_member], media_type=MediaType.HTML)
async def frame_digest(
    digest_id: FromPath[str],
    database: Injected[Database],
    principal: Injected[MemberPrincipal],
    digest_renderer: Injected[DigestRenderer],
    reader: Injected[EventReader],
    settings: Injected[Settings],
    clock: Injected[Clock],
) -> Response[bytes]:
    """The email as it would be sent now, as a page for a frame. Its head has the subject; links open in a new tab."""
    async with database.session(write=False) as db:
        await service.check_digest_visible(db, principal, digest_id)
    preview = await build_preview(digest_renderer, reader, digest_id, clock, settings.public_url)
    head = f'{_HEAD_TAG}\n<base target="_blank">\n<meta name="subject" content="{escape(preview.subject)}">'
    page = preview.html.replace(_HEAD_TAG, head, 1)
    return Response(page.encode(), media_type=MediaType.HTML, headers=_HEADERS)
