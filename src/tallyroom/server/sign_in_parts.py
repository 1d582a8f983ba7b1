"""Wires up authentication, sign-in and sign-out."""

from typing import Any

from tallyroom.auth.authenticator import Authenticator
from tallyroom.auth.cookies import SessionCookies, cookie_name
from tallyroom.auth.passwords import build_passwords
from tallyroom.auth.places.familiar import FamiliarPlaces
from tallyroom.auth.sessions import SessionStore
from tallyroom.auth.sign_in.passwords import PasswordChanger
from tallyroom.auth.sign_in.reset_requests import ResetRequestQueue
from tallyroom.auth.signatures import WebhookAuthenticator
from tallyroom.auth.throttle import Throttle
from tallyroom.core.errors import StatisticsRateLimited
from tallyroom.mail.outbox import MailOutbox
from tallyroom.server.services import Services

STATISTICS_LIMIT_NAME = "statistics"
WEBHOOK_RATE_FACTOR = 10  # votes arrive in bursts, and a bot has one sender


def build_authenticator(services: Services) -> Authenticator:
    """Build what identifies the sender of a request."""
    calls_per_minute, clock, limits = services.settings.stats_rate_per_minute, services.clock, services.limits
    return Authenticator(
        services.database,
        services.key_cache,
        services.stats_tokens,
        services.personal_tokens,
        WebhookAuthenticator(services.database, services.vault, clock),
        limits.create_rate_limit(STATISTICS_LIMIT_NAME, calls_per_minute, StatisticsRateLimited),
        limits.create_rate_limit(STATISTICS_LIMIT_NAME, calls_per_minute * WEBHOOK_RATE_FACTOR, StatisticsRateLimited),
        SessionStore(services.database, clock, services.ids),
        SessionCookies(cookie_name(services.installation), is_secure=services.settings.is_https),
        services.settings,
        build_passwords(services.settings),
        FamiliarPlaces(services.vault, clock),
    )


def build_sign_in_dependencies(services: Services, authenticator: Authenticator, mails: MailOutbox) -> dict[str, Any]:
    """Return what signs people in and out, and what sets their passwords, by dependency name."""
    throttle = Throttle(services.limits.create_attempt_limits())
    new_passwords = PasswordChanger(authenticator, throttle, mails, services.clock, services.ids)
    return {
        "authenticator": authenticator,
        "session_cookies": authenticator.cookies,
        "throttle": throttle,
        "new_passwords": new_passwords,
        "reset_requests": ResetRequestQueue(new_passwords.mail_reset_link),
    }
