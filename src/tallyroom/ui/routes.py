"""The page at `/`."""

from typing import Any

from litestar import MediaType, Request, Response, get
from litestar.di import NamedDependency
from litestar.params import SkipValidation

from tallyroom import __version__
from tallyroom.auth.guards import public
from tallyroom.core.settings import Settings
from tallyroom.ui.page import CSP, home_page


@get("/", guards=[public], sync_to_thread=False, include_in_schema=False)
def home(request: Request[Any, Any, Any], settings: SkipValidation[NamedDependency[Settings]]) -> Response[bytes]:
    """What is running and how to send the first event."""
    page = home_page(settings.base_url or str(request.base_url), __version__)
    headers = {"content-security-policy": CSP, "x-content-type-options": "nosniff"}
    return Response(page, media_type=MediaType.HTML, headers=headers)


routes = [home]
