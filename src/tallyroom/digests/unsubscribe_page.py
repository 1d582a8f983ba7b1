"""GET and POST /unsubscribe/:token: the page with the button, and what the button and mail programs send.

Scanners open the links in mails, so opening the page changes nothing (rules/digests#unsubscribing).
"""

from html import escape
from importlib.resources import files
from string import Template

from litestar import MediaType, Response, get, post
from litestar.params import FromPath

from tallyroom.auth.guards import public
from tallyroom.core.clock import Clock
from tallyroom.core.email_address import mask_address
from tallyroom.digests.recipients import Subscription, find_subscription, unsubscribe
from tallyroom.rest.injected import Injected
from tallyroom.rest.styles import hash_style_sheet
from tallyroom.storage.metadata.connection import Database

_PAGE_HTML = files("tallyroom.digests").joinpath("unsubscribe.html").read_text(encoding="utf-8")
_PAGE_TEMPLATE = Template(_PAGE_HTML)
_HEADERS = {
    "content-security-policy": f"default-src 'none'; style-src {hash_style_sheet(_PAGE_HTML)}; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex",
}
_BUTTON_HTML = '<form method="post"><button>Unsubscribe</button></form>'


@get("/unsubscribe/{token:str}", guards=[public], include_in_schema=False)
async def show_unsubscribe(token: FromPath[str], database: Injected[Database]) -> Response[bytes]:
    """Show the button."""
    subscription = await find_subscription(database, token)
    if subscription is None or subscription.recipient.unsubscribed_ms is not None:
        return _build_result_page(subscription)
    text = f"{mask_address(subscription.recipient.address)} will no longer get this digest."
    return _build_page(f"Unsubscribe from {subscription.digest_name}?", text, _BUTTON_HTML)


@post("/unsubscribe/{token:str}", guards=[public], include_in_schema=False, status_code=200)
async def confirm_unsubscribe(
    token: FromPath[str], database: Injected[Database], clock: Injected[Clock]
) -> Response[bytes]:
    """Remove a recipient; email clients send this, too (RFC 8058), and the body is not read."""
    return _build_result_page(await unsubscribe(database, token, clock))


def _build_result_page(subscription: Subscription | None) -> Response[bytes]:
    if subscription is None:
        return _build_page(
            "You are not subscribed to this digest", "It was deleted, or you are not one of its recipients."
        )
    text = f"{mask_address(subscription.recipient.address)} no longer gets this digest."
    return _build_page(
        f"You are unsubscribed from {subscription.digest_name}", f"{text} Anyone who manages it can add you again."
    )


def _build_page(title: str, text: str, form_html: str = "") -> Response[bytes]:
    page = _PAGE_TEMPLATE.substitute(title=escape(title), words=escape(text), below=form_html)
    return Response(page.encode(), media_type=MediaType.HTML, headers=_HEADERS)
