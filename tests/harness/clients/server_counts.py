"""What a server says about itself that no single workspace can see."""

import re

import httpx

from harness.suite.patience import PATIENCE


def measured(url: str, name: str) -> float:
    """One number of /metrics, whatever labels it has."""
    text = httpx.get(f"{url}/metrics", timeout=PATIENCE, verify=False).text
    found = re.findall(rf"^tallyroom_{name}(?:{{.*}})? (\S+)$", text, re.MULTILINE)
    assert len(found) == 1, f"{name} is not once in\n{text}"
    return float(found[0])


def acked(url: str) -> int:
    """How many events the server has acknowledged since its start, anonymous ones included."""
    return int(measured(url, "events_acked_total"))
