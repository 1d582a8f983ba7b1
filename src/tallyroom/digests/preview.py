"""A digest's mail before it is sent, for the person who edits it (rules/digests#preview)."""

from tallyroom.core.clock import Clock
from tallyroom.core.errors import NotFound
from tallyroom.digests.rendering import DigestRenderer
from tallyroom.digests.schemas import DigestPreviewOut
from tallyroom.storage.event_store.reader import EventReader


async def build_preview(
    renderer: DigestRenderer, reader: EventReader, digest_id: str, clock: Clock, public_url: str
) -> DigestPreviewOut:
    """Render the mail of a digest as it would be sent now, with an invalid link to unsubscribe.

    If the event store is behind, it does not wait as a mail does, but reports it at once. Raises `NotFound` if the
    digest was deleted meanwhile.
    """
    is_fresh = await reader.catch_up()
    rendered_digest = await renderer.render(digest_id, clock.now_ms(), is_fresh=is_fresh)
    if rendered_digest is None:
        raise NotFound("This workspace has no such digest.")
    unsubscribe_url = f"{public_url}/unsubscribe/preview"
    return DigestPreviewOut(
        rendered_digest.subject,
        rendered_digest.render_page(unsubscribe_url),
        rendered_digest.render_text(unsubscribe_url),
    )
