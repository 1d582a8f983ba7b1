"""Limits on guessing passwords and mailed tokens, and on mail to other people (rules/people#guessing).

Two dangers pull in opposite directions. Without a limit, attackers find passwords by trying them. With a plain limit
for each account, anybody who knows an address can lock its owner out by failing on purpose. So three limits apply at
sign-in: for a network and one account, for a network and all accounts, and for one account from everywhere. The last
one does not apply in a place that is familiar (rules/people#sign-in-turns). No limit is a lock: each allows another
attempt after a while.
"""

import hashlib
import math

from tallyroom.core.errors import RateLimited
from tallyroom.storage.limits.limits import Allotment, Attempt, Attempts

# Ten are enough to find out which of one's passwords it was. Then 40 an hour.
_SIGN_IN = Allotment("sign-in", 10, 90)
# An office behind one address makes fewer mistakes; its right passwords do not count. Then 240 an hour.
_NETWORK = Allotment("sign-in-address", 60, 15)
# 50 at once and 50 an hour are the 100 guesses that an account may get in an hour, from any number of networks.
_ACCOUNT = Allotment("sign-in-account", 50, 72)
# Where anybody may sign up, each attempt costs a hash and reveals whether the address has an account. Thirty are
# enough for a team that starts together. Then 60 an hour.
_SIGN_UP = Allotment("sign-up", 30, 60)
# The same as at sign-in. Only the holder of a session gets here, so nobody else can use it up.
_PASSWORD = Allotment("password", 10, 90)
# A token has 256 random bits, so this limits noise rather than lucky guesses.
_TOKEN = Allotment("token", 30, 30)
# Each is a mail to somebody who may not have asked for it. Its link works for an hour, so three are enough.
_MAIL = Allotment("reset", 3, 1200)
_MAILS_FROM_NETWORK = Allotment("reset-address", 20, 180)
# An invitation goes to somebody who did not ask for it. Five leave room for mistakes, a hundred for a team.
_INVITES_TO_ADDRESS = Allotment("invite-address", 5, 600)
_INVITES = Allotment("invite", 100, 60)


class Throttle:
    """Counts attempts before they are made, and uncounts those that were right. An address need not have an account.

    `network` is the client's place (`tallyroom.auth.client_network`). Nothing is on a disk: a restart of whatever
    keeps the counts forgets them, and a wrong password causes no disk write.
    """

    def __init__(self, attempts: Attempts) -> None:
        self._attempts = attempts

    async def try_sign_in(self, email: str, network: str, *, familiar: bool) -> None:
        """Count an attempt to sign in; an attempt that is refused here does not count.

        Args:
            email: the account's address.
            network: the client's place.
            familiar: whether this place is one of the account's own.

        Raises:
            RateLimited: too many of them were wrong.
        """
        network_attempts = Attempt(_NETWORK, _key(network)), Attempt(_SIGN_IN, _key(email, network))
        anywhere = () if familiar else (Attempt(_ACCOUNT, _key(email)),)
        await self._take("wrong passwords", *network_attempts, *anywhere)

    async def could_not_sign_in(self, email: str, network: str) -> None:
        """Uncount an attempt of which nobody can say whether it was right; only the account's own count keeps it."""
        await self._attempts.give_back(Attempt(_NETWORK, _key(network)))
        await self._attempts.give_back(Attempt(_SIGN_IN, _key(email, network)))

    async def signed_in(self, email: str, network: str) -> None:
        """Note that the attempt was right, and reset the account's counters.

        The network gets only this one attempt back. Otherwise a guesser could sign in to their own account in between.
        """
        await self._attempts.give_back(Attempt(_NETWORK, _key(network)))
        await self.welcome(email, network)

    async def welcome(self, email: str, network: str) -> None:
        """Reset the account's counters, because its owner has proved in this network that they are the owner."""
        await self._attempts.clear(Attempt(_SIGN_IN, _key(email, network)), Attempt(_ACCOUNT, _key(email)))

    async def sign_up(self, network: str) -> None:
        """Count a sign-up; every one counts, whatever its result.

        Raises:
            RateLimited: this network has tried too often.
        """
        await self._take("sign-ups", Attempt(_SIGN_UP, _key(network)))

    async def try_password(self, user_id: str) -> None:
        """Count an attempt of a signed-in user to enter their password.

        Raises:
            RateLimited: too many of them were wrong.
        """
        await self._take("wrong passwords", Attempt(_PASSWORD, _key(user_id)))

    async def could_not_try_password(self, user_id: str) -> None:
        """Uncount an attempt of which nobody can say whether it was right."""
        await self._attempts.give_back(Attempt(_PASSWORD, _key(user_id)))

    async def password_was_right(self, user_id: str) -> None:
        """Note that the attempt was right, and reset the user's count."""
        await self._attempts.clear(Attempt(_PASSWORD, _key(user_id)))

    async def try_token(self, network: str) -> None:
        """Count an attempt to use a mailed token: a password reset or an invitation.

        Raises:
            RateLimited: too many of them were wrong.
        """
        await self._take("wrong tokens", Attempt(_TOKEN, _key(network)))

    async def token_was_right(self, network: str) -> None:
        """Note that the attempt was right, and uncount it."""
        await self._attempts.give_back(Attempt(_TOKEN, _key(network)))

    async def ask_for_mail(self, email: str, network: str) -> None:
        """Count a request to mail something to `email`; every one counts.

        Raises:
            RateLimited: this address has been sent too much mail, or this network has asked for too much.
        """
        await self._take("requests", Attempt(_MAILS_FROM_NETWORK, _key(network)), Attempt(_MAIL, _key(email)))

    async def invite(self, email: str, user_id: str) -> None:
        """Count an invitation of `email` by a user; every one counts.

        Raises:
            RateLimited: this address has been invited too often, or this user has sent too many invitations.
        """
        await self._take("invitations", Attempt(_INVITES, _key(user_id)), Attempt(_INVITES_TO_ADDRESS, _key(email)))

    async def _take(self, name: str, *attempts: Attempt) -> None:
        refusal = await self._attempts.take(*attempts)
        if refusal is None:
            return
        allotment, wait = refusal[0].allotment, math.ceil(refusal[1])
        raise RateLimited(
            f"Too many {name}; try again in {wait} s.",
            retry_after=wait,
            headers={"ratelimit-policy": allotment.policy, "ratelimit": f'"{allotment.name}";r=0;t={wait}'},
        )


def _key(*parts: str) -> bytes:
    """Return 16 bytes, no matter how long the parts are: the sender chooses their length, but the memory is ours."""
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).digest()
