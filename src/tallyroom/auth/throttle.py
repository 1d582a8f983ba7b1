"""Limits on guessing passwords and mailed tokens, and on mail to other people (rules/people#guessing).

Two dangers pull in opposite directions. Without a limit, attackers find passwords by trying them. With a plain limit
for each account, anybody who knows an address can lock its owner out by failing on purpose. So three limits apply at
sign-in: for a network and one account, for a network and all accounts, and for one account from everywhere. The last
one does not apply in a network where the owner has signed in before, or where they have just set a new password with a
mailed link. No limit is a lock: each allows another attempt after a while.
"""

import hashlib
import math
from collections import OrderedDict

from tallyroom.auth.leaky_buckets import LeakyBuckets
from tallyroom.core.clock import Clock
from tallyroom.core.errors import RateLimited

_MOST_FAMILIAR = 10_000  # ~1 MB of networks from which somebody has signed in; the least recently used one goes first


class Throttle:
    """Counts attempts before they are made, and uncounts those that were right. An address need not have an account.

    `network` is the client's network (`tallyroom.auth.client_network`). Everything is in memory: a restart forgets it,
    and a wrong password causes no disk write. A throttle belongs to one event loop and takes no lock.
    """

    def __init__(self, clock: Clock) -> None:
        # Ten are enough to find out which of one's passwords it was. Then 40 an hour.
        self._sign_in = LeakyBuckets("sign-in", 10, 90, clock)
        # An office behind one address makes fewer mistakes; its right passwords do not count. Then 240 an hour.
        self._network = LeakyBuckets("sign-in-address", 60, 15, clock)
        # 50 at once and 50 an hour are the 100 guesses that an account may get in an hour, from any number of networks.
        self._account = LeakyBuckets("sign-in-account", 50, 72, clock)
        # Where anybody may sign up, each attempt costs a hash and reveals whether the address has an account. Thirty
        # are enough for a team that starts together. Then 60 an hour.
        self._sign_up = LeakyBuckets("sign-up", 30, 60, clock)
        # The same as at sign-in. Only the holder of a session gets here, so nobody else can use it up.
        self._password = LeakyBuckets("password", 10, 90, clock)
        # A token has 256 random bits, so this limits noise rather than lucky guesses.
        self._token = LeakyBuckets("token", 30, 30, clock)
        # Each is a mail to somebody who may not have asked for it. Its link works for an hour, so three are enough.
        self._mail = LeakyBuckets("reset", 3, 1200, clock)
        self._mails_from_network = LeakyBuckets("reset-address", 20, 180, clock)
        # An invitation goes to somebody who did not ask for it. Five leave room for mistakes, a hundred for a team.
        self._invited = LeakyBuckets("invite-address", 5, 600, clock)
        self._invites = LeakyBuckets("invite", 100, 60, clock)
        self._familiar: OrderedDict[bytes, None] = OrderedDict()

    def try_sign_in(self, email: str, network: str) -> None:
        """Count an attempt to sign in; an attempt that is refused here does not count.

        Raises:
            RateLimited: too many of them were wrong.
        """
        here = _key(email, network)
        rows = [(self._network, _key(network)), (self._sign_in, here)]
        if here not in self._familiar:
            rows.append((self._account, _key(email)))
        _take(rows, "wrong passwords")

    def signed_in(self, email: str, network: str) -> None:
        """Note that the attempt was right: the account's counters are reset, and the network is familiar from now on.

        The network gets only this one attempt back. Otherwise a guesser could sign in to their own account in between.
        """
        self._network.give_back(_key(network))
        self.welcome(email, network)

    def welcome(self, email: str, network: str) -> None:
        """Note that the owner of the account has proved in this network that they are the owner."""
        here = _key(email, network)
        self._sign_in.clear(here)
        self._account.clear(_key(email))
        self._familiar[here] = None
        self._familiar.move_to_end(here)
        if len(self._familiar) > _MOST_FAMILIAR:
            self._familiar.popitem(last=False)

    def sign_up(self, network: str) -> None:
        """Count a sign-up; every one counts, whatever its result.

        Raises:
            RateLimited: this network has tried too often.
        """
        _take([(self._sign_up, _key(network))], "sign-ups")

    def try_password(self, user_id: str) -> None:
        """Count an attempt of a signed-in user to enter their password.

        Raises:
            RateLimited: too many of them were wrong.
        """
        _take([(self._password, _key(user_id))], "wrong passwords")

    def password_was_right(self, user_id: str) -> None:
        """Note that the attempt was right, and reset the user's count."""
        self._password.clear(_key(user_id))

    def try_token(self, network: str) -> None:
        """Count an attempt to use a mailed token: a password reset or an invitation.

        Raises:
            RateLimited: too many of them were wrong.
        """
        _take([(self._token, _key(network))], "wrong tokens")

    def token_was_right(self, network: str) -> None:
        """Note that the attempt was right, and uncount it."""
        self._token.give_back(_key(network))

    def ask_for_mail(self, email: str, network: str) -> None:
        """Count a request to mail something to `email`; every one counts.

        Raises:
            RateLimited: this address has been sent too much mail, or this network has asked for too much.
        """
        _take([(self._mails_from_network, _key(network)), (self._mail, _key(email))], "requests")

    def invite(self, email: str, user_id: str) -> None:
        """Count an invitation of `email` by a user; every one counts.

        Raises:
            RateLimited: this address has been invited too often, or this user has sent too many invitations.
        """
        _take([(self._invites, _key(user_id)), (self._invited, _key(email))], "invitations")


def _take(rows: list[tuple[LeakyBuckets, bytes]], what: str) -> None:
    for buckets, key in rows:
        if wait := math.ceil(buckets.wait(key)):
            raise RateLimited(
                f"Too many {what}; try again in {wait} s.",
                retry_after=wait,
                headers={"ratelimit-policy": buckets.policy, "ratelimit": f'"{buckets.name}";r=0;t={wait}'},
            )
    for buckets, key in rows:
        buckets.take(key)


def _key(*parts: str) -> bytes:
    """Return 16 bytes, no matter how long the parts are: the sender chooses their length, but the memory is ours."""
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).digest()
