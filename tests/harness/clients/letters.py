"""Mails of a server that has no mail server: it writes them to its log."""

import json
import re
import time
from typing import Any

from harness.servers.server import Server
from harness.suite.patience import PATIENCE


def letter_to(server: Server, email: str, number: int = 1, seconds: float = PATIENCE) -> dict[str, Any]:
    """The log line of the `number`-th mail to `email`: `to`, `subject`, `text`. It may come a moment later."""
    deadline = time.monotonic() + seconds
    while len(found := letters_to(server, email)) < number:
        assert time.monotonic() < deadline, f"{len(found)} mails to {email}:\n{server.text()[-2000:]}"
        time.sleep(0.02)
    return found[number - 1]


def letters_to(server: Server, email: str) -> list[dict[str, Any]]:
    """The log lines of all mails to `email` so far."""
    lines = [json.loads(line) for line in list(server.output) if '"tallyroom.letters"' in line]
    return [line for line in lines if line["to"] == email]


def token_in(text: str) -> str:
    """The token of the one link in `text`."""
    [token] = re.findall(r"[?&]token=([0-9A-Za-z_]+)", text)
    return str(token)
