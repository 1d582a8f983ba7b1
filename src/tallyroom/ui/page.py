"""The page at `/`: says that the server runs and how the first event gets in."""

import base64
import hashlib
import re
from html import escape
from importlib.resources import files
from string import Template

_SOURCE = files("tallyroom.ui").joinpath("index.html").read_text(encoding="utf-8")
_PAGE = Template(_SOURCE)


def _style_hash(page: str) -> str:
    """The hash source by which a content security policy allows the page's one style sheet."""
    style = re.findall(r"<style>(.*?)</style>", page, flags=re.DOTALL)
    digest = hashlib.sha256("".join(style).encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


# The page loads nothing: no script, no picture, no font.
CSP = (
    f"default-src 'none'; style-src {_style_hash(_SOURCE)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def home_page(base_url: str, version: str) -> bytes:
    """The page as UTF-8, with the address under which the reader reached this server in its commands.

    Args:
        base_url: scheme, host and port; it may come from a request header, so it is escaped.
        version: the running version.
    """
    return _PAGE.substitute(base_url=escape(base_url.rstrip("/")), version=escape(version)).encode()
