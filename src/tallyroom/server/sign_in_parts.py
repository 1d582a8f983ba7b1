"""Wires what finds out who sends a request, and what signs people in and out."""

from typing import Any

from tallyroom.auth.authenticator import Authenticator
from tallyroom.auth.cookies import SessionCookies, cookie_name
from tallyroom.auth.passwords import build_passwords
from tallyroom.auth.places.familiar import FamiliarPlaces
from tallyroom.auth.sessions import SessionStore
from tallyroom.auth.sign_in.passwords import NewPasswords
from tallyroom.auth.sign_in.reset_requests import ResetRequests
from tallyroom.auth.signatures import Signatures
from tallyroom.auth.throttle import Throttle
from tallyroom.core.errors import StatisticsRateLimited
from tallyroom.mail.outbox import MailOutbox
from tallyroom.server.services import Services

STATISTICS = "statistics"  # the name of the rate limit
WEBHOOKS_PER_CALL = 10  # votes come in floods, and a bot has one sender


def authenticator_of(services: Services) -> Authenticator:
    """Build what finds out who sends a request."""
    rate, clock, limits = services.settings.stats_rate_per_minute, services.clock, services.limits
    return Authenticator(
        services.database,
        services.key_cache,
        services.stats_tokens,
        services.personal_tokens,
        Signatures(services.database, services.vault, clock),
        limits.create_rate_limit(STATISTICS, rate, StatisticsRateLimited),
        limits.create_rate_limit(STATISTICS, rate * WEBHOOKS_PER_CALL, StatisticsRateLimited),
        SessionStore(services.database, clock, services.ids),
        SessionCookies(cookie_name(services.installation), is_secure=services.settings.secure_cookies),
        services.settings,
        build_passwords(services.settings),
        FamiliarPlaces(services.vault, clock),
    )


def signing_in(services: Services, authenticator: Authenticator, mails: MailOutbox) -> dict[str, Any]:
    """Return what signs people in and out, and what sets their passwords."""
    throttle = Throttle(services.limits.create_attempt_limits())
    new_passwords = NewPasswords(authenticator, throttle, mails, services.clock, services.ids)
    return {
        "authenticator": authenticator,
        "session_cookies": authenticator.cookies,
        "throttle": throttle,
        "new_passwords": new_passwords,
        "reset_requests": ResetRequests(new_passwords.mail_link),
    }
