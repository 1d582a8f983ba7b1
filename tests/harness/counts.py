"""What a server says about itself that no single workspace can see."""

import re

import httpx


def acked(url: str) -> int:
    """How many events the server has acknowledged since its start, anonymous ones included."""
    text = httpx.get(f"{url}/metrics", timeout=30, verify=False).text
    found = re.search(r"^tallyroom_events_acked_total (\S+)$", text, re.MULTILINE)
    assert found, text
    return int(float(found[1]))
