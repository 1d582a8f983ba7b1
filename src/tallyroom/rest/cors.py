"""Who may read an answer from a page of another origin: of what is public, everybody; of the rest, nobody."""

_PUBLIC = ("/v1/public/", "/custom/")
_DAY_SECONDS = b"86400"

Headers = list[tuple[bytes, bytes]]


def cors_headers(path: str, method: str) -> Headers:
    """The headers that an answer needs besides its own, whatever its status."""
    if not path.startswith(_PUBLIC):
        return []
    headers = [(b"access-control-allow-origin", b"*")]
    if method == "OPTIONS":
        headers += [
            (b"access-control-allow-methods", b"GET, HEAD, OPTIONS, POST"),
            (b"access-control-allow-headers", b"content-type"),
            (b"access-control-max-age", _DAY_SECONDS),
        ]
    return headers
