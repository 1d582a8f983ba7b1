"""The style sheet in a page."""

import base64
import hashlib
import re


def hash_style_sheet(page: str) -> str:
    """Return the hash by which a content security policy allows the page's one style sheet."""
    style_sheets = re.findall(r"<style>(.*?)</style>", page, flags=re.DOTALL)
    digest = hashlib.sha256("".join(style_sheets).encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
