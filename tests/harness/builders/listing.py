"""Bots in the metadata database, and webhooks as a bot list signs them."""

import hashlib
import hmac
from pathlib import Path
from typing import Any

from harness.stores.metadata_edits import run_beside
from tallyroom.storage.metadata.models import Bot

TEXTS = ("name", "listing_id", "def_avatar", "avatar", "short_desc", "lib", "prefix", "website")
LISTS = ("owners", "tags")
COUNTS = ("revision", "late_revision", "first_seen_ms", "updated_at_ms", "votes", "month_votes", "month", "voters")
FLAGS = ("certified", "deleted", "unlisted")


def bare_bot(workspace_id: str, bot_id: str, **columns: Any) -> Bot:
    """A row without a profile."""
    empty: dict[str, Any] = dict.fromkeys(TEXTS, "") | dict.fromkeys(LISTS, "[]") | dict.fromkeys(COUNTS, 0)
    return Bot(workspace_id=workspace_id, id=bot_id, **(empty | dict.fromkeys(FLAGS, False) | columns))


def webhook_secret(data: Path, workspace_id: str, bot_id: str) -> str | None:
    """What the server on `data` has stored as the bot's secret."""
    query = "SELECT webhook_secret FROM bots WHERE workspace_id = :workspace AND id = :bot"
    stored: str | None
    [(stored,)] = run_beside(data, query, {"workspace": workspace_id, "bot": bot_id})
    return stored


def signature(secret: str, at_s: int | str, body: bytes) -> str:
    """What a bot list puts into `x-topgg-signature`."""
    digest = hmac.new(secret.encode(), f"{at_s}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at_s},v1={digest}"
