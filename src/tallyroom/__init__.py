"""Tallyroom: event analytics, bot statistics and chart images from one small server."""

_NAMES_OF_THE_CLIENT = frozenset({"Client", "Tallyroom", "track"})


def __getattr__(name: str) -> object:
    """Name the client's package to programs that look for the client here."""
    if name in _NAMES_OF_THE_CLIENT:
        raise ImportError(
            "tallyroom is the server: to send events from a program, install tallyroom-client, import tallyroom_client"
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
