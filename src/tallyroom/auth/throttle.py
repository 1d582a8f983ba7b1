"""Limits on guessing passwords and mailed tokens, and on mail to other people (rules/people#guessing).

No limit is a lock, and the one on an account from everywhere does not apply in a familiar place: otherwise anyone who
knows an address could lock its owner out by failing on purpose.
"""

import hashlib
import math

from tallyroom.core.errors import RateLimited
from tallyroom.storage.limits.limits import Allotment, Attempt, AttemptLimits

# Ten are enough for people to find out which of their passwords it was. Then 40 an hour.
_SIGN_INS_TO_ACCOUNT_FROM_NETWORK = Allotment("sign-in", 10, 90)
# An office behind one address makes fewer mistakes; its right passwords do not count. Then 240 an hour.
_SIGN_INS_FROM_NETWORK = Allotment("sign-in-address", 60, 15)
# 50 at once and 50 an hour are the 100 guesses that an account may get in an hour, from any number of networks.
_SIGN_INS_TO_ACCOUNT = Allotment("sign-in-account", 50, 72)
# If anyone may sign up, each attempt costs a hash and reveals whether the address has an account. Thirty are
# enough for a team that starts together. Then 60 an hour.
_SIGN_UPS_FROM_NETWORK = Allotment("sign-up", 30, 60)
# The same as at sign-in. Only the holder of a session gets here, so no one else can use it up.
_PASSWORDS_OF_USER = Allotment("password", 10, 90)
# A token has 256 random bits, so this limits noise rather than lucky guesses.
_TOKENS_FROM_NETWORK = Allotment("token", 30, 30)
# Each is a mail to someone who may not have asked for it. Its link works for an hour, so three are enough.
_MAILS_TO_ADDRESS = Allotment("reset", 3, 1200)
_MAILS_FROM_NETWORK = Allotment("reset-address", 20, 180)
# An invitation goes to someone who did not ask for it. Five leave room for mistakes, a hundred for a team.
_INVITES_TO_ADDRESS = Allotment("invite-address", 5, 600)
_INVITES_BY_USER = Allotment("invite", 100, 60)


class Throttle:
    """Counts attempts before they are made, and uncounts those that were right, without a disk write."""

    def __init__(self, attempt_limits: AttemptLimits) -> None:
        self._attempt_limits = attempt_limits

    async def count_sign_in_attempt(self, email: str, client_network: str, *, is_familiar: bool) -> None:
        """Count an attempt to sign in, or raise `RateLimited`; a refused attempt does not count."""
        network_attempts = (
            _attempt(_SIGN_INS_FROM_NETWORK, client_network),
            _attempt(_SIGN_INS_TO_ACCOUNT_FROM_NETWORK, email, client_network),
        )
        account_attempts = () if is_familiar else (_attempt(_SIGN_INS_TO_ACCOUNT, email),)
        await self._count_attempts("wrong passwords", *network_attempts, *account_attempts)

    async def undo_sign_in_attempt(self, email: str, client_network: str) -> None:
        """Uncount an attempt whose result is unknown; only the account's own counter keeps it."""
        await self._attempt_limits.undo_attempt(_attempt(_SIGN_INS_FROM_NETWORK, client_network))
        await self._attempt_limits.undo_attempt(_attempt(_SIGN_INS_TO_ACCOUNT_FROM_NETWORK, email, client_network))

    async def clear_after_sign_in(self, email: str, client_network: str) -> None:
        """Reset the account's counters, but uncount only this attempt of the network: a guesser may sign in, too."""
        await self._attempt_limits.undo_attempt(_attempt(_SIGN_INS_FROM_NETWORK, client_network))
        await self.clear_sign_in_attempts(email, client_network)

    async def clear_sign_in_attempts(self, email: str, client_network: str) -> None:
        """Reset the account's counters, because its owner has proved in this network who they are."""
        await self._attempt_limits.clear_attempts(
            _attempt(_SIGN_INS_TO_ACCOUNT_FROM_NETWORK, email, client_network),
            _attempt(_SIGN_INS_TO_ACCOUNT, email),
        )

    async def count_sign_up(self, client_network: str) -> None:
        """Count a sign-up with any result, or raise `RateLimited`."""
        await self._count_attempts("sign-ups", _attempt(_SIGN_UPS_FROM_NETWORK, client_network))

    async def count_password_attempt(self, user_id: str) -> None:
        """Count a signed-in user's attempt to enter their password, or raise `RateLimited`."""
        await self._count_attempts("wrong passwords", _attempt(_PASSWORDS_OF_USER, user_id))

    async def undo_password_attempt(self, user_id: str) -> None:
        """Uncount an attempt whose result is unknown."""
        await self._attempt_limits.undo_attempt(_attempt(_PASSWORDS_OF_USER, user_id))

    async def clear_password_attempts(self, user_id: str) -> None:
        """Uncount the attempt, which was right, and reset the user's counter."""
        await self._attempt_limits.clear_attempts(_attempt(_PASSWORDS_OF_USER, user_id))

    async def count_token_attempt(self, client_network: str) -> None:
        """Count an attempt to use a mailed token (a password reset or an invitation), or raise `RateLimited`."""
        await self._count_attempts("wrong tokens", _attempt(_TOKENS_FROM_NETWORK, client_network))

    async def undo_token_attempt(self, client_network: str) -> None:
        """Uncount the attempt, which was right."""
        await self._attempt_limits.undo_attempt(_attempt(_TOKENS_FROM_NETWORK, client_network))

    async def count_mail_request(self, email: str, client_network: str) -> None:
        """Count a request to mail `email`; raise `RateLimited` if the address or the network has reached its limit."""
        await self._count_attempts(
            "requests",
            _attempt(_MAILS_FROM_NETWORK, client_network),
            _attempt(_MAILS_TO_ADDRESS, email),
        )

    async def count_invite(self, email: str, user_id: str) -> None:
        """Count an invitation of `email` by a user; raise `RateLimited` if either of them has reached its limit."""
        await self._count_attempts(
            "invitations", _attempt(_INVITES_BY_USER, user_id), _attempt(_INVITES_TO_ADDRESS, email)
        )

    async def _count_attempts(self, attempts_name: str, *attempts: Attempt) -> None:
        refusal = await self._attempt_limits.count_attempts(*attempts)
        if refusal is None:
            return
        refused_attempt, seconds_until_allowed = refusal
        allotment, wait_seconds = refused_attempt.allotment, math.ceil(seconds_until_allowed)
        raise RateLimited(
            f"Too many {attempts_name}; try again in {wait_seconds} s.",
            retry_after=wait_seconds,
            headers={"ratelimit-policy": allotment.policy, "ratelimit": f'"{allotment.name}";r=0;t={wait_seconds}'},
        )


def _attempt(allotment: Allotment, *keys: str) -> Attempt:
    """Count by a hash: the sender chooses the length of the keys, but the memory is ours."""
    return Attempt(allotment, hashlib.blake2b("\0".join(keys).encode(), digest_size=16).digest())
