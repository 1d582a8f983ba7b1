"""The part of the client that the helpers for bots use."""

import os
from collections.abc import Mapping
from typing import Any, Protocol


class Tracker(Protocol):
    """Takes events; `tallyroom_client.Tallyroom` is one."""

    def track(  # the surface of the client
        self,
        name: str,
        *,
        actor: str | None = None,
        label: str | None = None,
        properties: Mapping[str, Any] | None = None,
        source: str | None = None,
    ) -> bool:
        """Return True if the event will be counted."""
        ...


def default_tracker() -> Tracker:
    """Return a client that is set up by the environment: `TALLYROOM_URL` and `TALLYROOM_KEY`."""
    import tallyroom_client  # noqa: PLC0415 # the client imports none of its helpers, and a helper it only here

    client: Tracker = tallyroom_client.Tallyroom()
    return client


def server_url(tracker: Tracker) -> str:
    """Return the address of the tracker's server, by default `TALLYROOM_URL`; empty if neither is known."""
    url: str = getattr(tracker, "url", None) or os.environ.get("TALLYROOM_URL", "")
    return url.rstrip("/")
