"""Identifies this process among the workers of an installation."""

from hashlib import sha256
from socket import gethostname

import msgspec

from tallyroom.core.ids import IdGenerator
from tallyroom.core.peers import Worker
from tallyroom.core.settings import Settings

# Settings that would make two workers answer the same request differently, or look for its data elsewhere.
_SHARED_SETTING_NAMES = (
    *("base_url", "stats_url", "widgets_url", "stats_platforms", "stats_rate_per_minute", "feed_creates"),
    *("secret_key", "events_dsn", "db_dsn", "limits_dsn"),
    *("open_signup", "default_plan", "free_events_per_month", "ingest_rate_per_minute"),
)
_FINGERPRINT_LENGTH = 16
_ID_LENGTH = 12


def create_worker(settings: Settings, spool_id: int, epoch: int, id_generator: IdGenerator) -> Worker:
    """Return this process under a new name."""
    return Worker(id_generator.base62(_ID_LENGTH), spool_id, gethostname(), fingerprint_settings(settings), epoch)


def fingerprint_settings(settings: Settings) -> str:
    """Return a text that differs between two workers if a setting differs that all workers must share."""
    values = [getattr(settings, name) for name in _SHARED_SETTING_NAMES]
    return sha256(msgspec.json.encode(values)).hexdigest()[:_FINGERPRINT_LENGTH]
