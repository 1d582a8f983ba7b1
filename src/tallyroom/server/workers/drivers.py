"""The clients of PostgreSQL and Redis, which a single process loads only if its settings name a server."""

from tallyroom.cluster.postgresql import database, migrate, start_record
from tallyroom.cluster.redis import shared_limits

__all__ = ["database", "migrate", "shared_limits", "start_record"]
