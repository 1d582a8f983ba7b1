"""Headers of answers below public paths: any origin may read them, and search engines do not list the data."""

_PUBLIC_PREFIXES = ("/v1/public/", "/custom/")
_UNLISTED_PREFIX = "/v1/public/"
_DAY_SECONDS = b"86400"

Headers = list[tuple[bytes, bytes]]


def build_public_headers(path: str, method: str) -> Headers:
    """Return the additional headers for an answer with any status; empty if the path is not public."""
    if not path.startswith(_PUBLIC_PREFIXES):
        return []
    headers = [(b"access-control-allow-origin", b"*")]
    if path.startswith(_UNLISTED_PREFIX):
        headers.append((b"x-robots-tag", b"noindex"))
    if method == "OPTIONS":
        headers += [
            (b"access-control-allow-methods", b"GET, HEAD, OPTIONS, POST"),
            (b"access-control-allow-headers", b"content-type"),
            (b"access-control-max-age", _DAY_SECONDS),
        ]
    return headers
