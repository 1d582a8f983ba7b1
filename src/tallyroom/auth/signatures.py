"""Webhooks that a bot list signs with a secret shared with a workspace (rules/statistics#webhook-secret)."""

import hashlib
import hmac
import logging
import re

from tallyroom.auth import repository
from tallyroom.auth.principals import StatsPrincipal, StatsScope
from tallyroom.auth.stats_tokens import StatsRefused
from tallyroom.core.clock import Clock
from tallyroom.core.vault import SecretUnreadable, Vault
from tallyroom.storage.metadata.connection import Database

SIGNATURE_HEADER = "x-topgg-signature"

MAX_AGE_S = 86_400  # senders without an answer retry for a day; votes have ids, so a replay is harmless
MAX_AHEAD_S = 300

_SIGNATURE_PATTERN = re.compile(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})")

_log = logging.getLogger(__name__)


class WebhookAuthenticator:
    """Finds the workspace whose secret signed a webhook."""

    def __init__(self, database: Database, vault: Vault, clock: Clock) -> None:
        self._database = database
        self._vault = vault
        self._clock = clock

    async def authenticate(self, bot_id: str, signature: str, body: bytes) -> StatsPrincipal:
        """Find who signed `body` for the bot: the oldest workspace whose secret matches.

        `signature` is ``t=<seconds since 1970>,v1=<HMAC-SHA-256 of "{t}.{body}" as hexadecimal text>``. Raises
        `StatsRefused`, or `SecretUnreadable` if none matches and a secret cannot be read.
        """
        signature_match = _SIGNATURE_PATTERN.fullmatch(signature)
        if signature_match is None or not self.is_plausible(signature):
            raise StatsRefused
        unreadable_error: SecretUnreadable | None = None
        for workspace_id, ciphertext in await repository.find_webhook_secrets(self._database, bot_id):
            try:
                secret = self._vault.decrypt(ciphertext)
            except SecretUnreadable as error:
                _log.error("a webhook secret cannot be read", extra={"workspace": workspace_id, "bot": bot_id})
                unreadable_error = error
                continue
            if hmac.compare_digest(compute_signature(secret, signature_match[1], body), signature_match[2]):
                return StatsPrincipal("", workspace_id, StatsScope.BOT, bot_id)
        raise unreadable_error or StatsRefused

    def is_plausible(self, signature: str) -> bool:
        """Return True if the text has the format of a signature, and is neither too old nor in the future."""
        signature_match = _SIGNATURE_PATTERN.fullmatch(signature)
        if signature_match is None:
            return False
        age_s = self._clock.now_ms() / 1000 - int(signature_match[1])
        return -MAX_AHEAD_S <= age_s <= MAX_AGE_S


def compute_signature(secret: str, signed_at_s: str, body: bytes) -> str:
    """Return the signature of `body` at that time, as hexadecimal text."""
    return hmac.new(secret.encode(), signed_at_s.encode() + b"." + body, hashlib.sha256).hexdigest()
