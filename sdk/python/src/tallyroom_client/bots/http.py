"""Single requests of the helpers, which are no events: counts are posted, a picture is fetched.

They block, so callers run them in a thread. Each has 15 seconds.
"""

import json
import urllib.request
from collections.abc import Mapping
from typing import Any

from tallyroom_client.version import __version__

_TIMEOUT_SECONDS = 15
_USER_AGENT = f"tallyroom-python/{__version__}"


def post_json(url: str, token: str, body: Mapping[str, Any]) -> None:
    """Post a body.

    Raises:
        OSError: the server is out of reach, or refused it; `urllib.error.HTTPError` has the status.
    """
    headers = {"Authorization": token, "Content-Type": "application/json"}
    _open(url, headers, json.dumps(body).encode())


def get_bytes(url: str) -> bytes:
    """Return the body of an answer.

    Raises:
        OSError: the server is out of reach, or refused; `urllib.error.HTTPError` has the status.
    """
    return _open(url, {}, None)


def _open(url: str, headers: Mapping[str, str], body: bytes | None) -> bytes:
    if not url.startswith(("http://", "https://")):
        raise OSError(f"{url} is no address of a server; set TALLYROOM_URL to one that begins with https://")
    request = urllib.request.Request(url, body, {"User-Agent": _USER_AGENT, **headers})  # noqa: S310 # checked above
    with urllib.request.urlopen(request, timeout=_TIMEOUT_SECONDS) as answer:  # noqa: S310 # as above
        content: bytes = answer.read()
    return content
