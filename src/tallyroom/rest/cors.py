"""Access from pages of other origins: everybody may read public answers, and nobody the rest."""

_PUBLIC = ("/v1/public/", "/custom/")
_DAY_SECONDS = b"86400"

Headers = list[tuple[bytes, bytes]]


def cors_headers(path: str, method: str) -> Headers:
    """Return the additional headers that an answer needs, regardless of its status."""
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
