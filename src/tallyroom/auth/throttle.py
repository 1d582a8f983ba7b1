"""How often somebody may guess: passwords, mailed tokens, and other people's mailboxes (rules/people#guessing).

Two dangers pull in opposite directions. Without a limit, passwords are found by trying. With a plain limit for each
account, whoever knows an address locks its owner out by failing on purpose. So three limits hold at sign-in: of a
network for one account, of a network for all accounts, and of one account from everywhere. The last does not hold in a
network where the owner has signed in before, nor where he has just set a new password by a mailed link. No limit is a
lock: each gives another attempt after a while.
"""

import hashlib
import math
from collections import OrderedDict

from tallyroom.auth.leaky_buckets import LeakyBuckets
from tallyroom.core.clock import Clock
from tallyroom.core.errors import RateLimited

_MOST_FAMILIAR = 10_000  # ~1 MB of networks from which somebody has signed in; the one unused for longest goes first


class Throttle:
    """Counts attempts before they are made and takes back those that were right. An address need not have an account.

    `network` is that of the client (`tallyroom.auth.client_network`). Everything is kept in memory: a restart forgets
    it, and no wrong password makes the disk write. Belongs to one event loop; it takes no lock.
    """

    def __init__(self, clock: Clock) -> None:
        # Ten: whoever forgot which of his passwords it was finds it. Then 40 an hour.
        self._sign_in = LeakyBuckets("sign-in", 10, 90, clock)
        # An office behind one address mistypes less than that; its right passwords do not count. Then 240 an hour.
        self._network = LeakyBuckets("sign-in-address", 60, 15, clock)
        # 50 and 50 more make the 100 guesses that one account may get in an hour, from however many networks.
        self._account = LeakyBuckets("sign-in-account", 50, 72, clock)
        # Where anybody may sign up, each attempt costs a hash and tells whether the address has an account. Thirty are
        # a team that begins together. Then 60 an hour.
        self._sign_up = LeakyBuckets("sign-up", 30, 60, clock)
        # As at sign-in. Only the holder of a session gets here, so nobody else can use it up.
        self._password = LeakyBuckets("password", 10, 90, clock)
        # A token has 256 random bits: this is against the noise, not against luck.
        self._token = LeakyBuckets("token", 30, 30, clock)
        # Each is a mail to somebody who may not have asked. Its link is good for an hour, so three are enough.
        self._mail = LeakyBuckets("reset", 3, 1200, clock)
        self._mails_from_network = LeakyBuckets("reset-address", 20, 180, clock)
        # An invitation is mailed to somebody who did not ask. Five are room for mistakes, a hundred for a whole team.
        self._invited = LeakyBuckets("invite-address", 5, 600, clock)
        self._invites = LeakyBuckets("invite", 100, 60, clock)
        self._familiar: OrderedDict[bytes, None] = OrderedDict()

    def try_sign_in(self, email: str, network: str) -> None:
        """Count an attempt to sign in; one that is refused does not count.

        Raises:
            RateLimited: too many of them were wrong.
        """
        here = _key(email, network)
        rows = [(self._network, _key(network)), (self._sign_in, here)]
        if here not in self._familiar:
            rows.append((self._account, _key(email)))
        _take(rows, "wrong passwords")

    def signed_in(self, email: str, network: str) -> None:
        """The attempt was right: the account's counters start anew, and the network is familiar from now on.

        The network gets only this one attempt back, or a guesser would sign in to an account of his own in between.
        """
        self._network.give_back(_key(network))
        self.welcome(email, network)

    def welcome(self, email: str, network: str) -> None:
        """The owner of the account has shown in this network that he is the owner."""
        here = _key(email, network)
        self._sign_in.clear(here)
        self._account.clear(_key(email))
        self._familiar[here] = None
        self._familiar.move_to_end(here)
        if len(self._familiar) > _MOST_FAMILIAR:
            self._familiar.popitem(last=False)

    def sign_up(self, network: str) -> None:
        """Count a sign-up; each one counts, whatever comes of it.

        Raises:
            RateLimited: this network tried enough.
        """
        _take([(self._sign_up, _key(network))], "sign-ups")

    def try_password(self, user_id: str) -> None:
        """Count an attempt of a signed-in user to tell his password.

        Raises:
            RateLimited: too many of them were wrong.
        """
        _take([(self._password, _key(user_id))], "wrong passwords")

    def password_was_right(self, user_id: str) -> None:
        """The attempt was right."""
        self._password.clear(_key(user_id))

    def try_token(self, network: str) -> None:
        """Count an attempt to use the token of a mail: a password reset, an invitation.

        Raises:
            RateLimited: too many of them were wrong.
        """
        _take([(self._token, _key(network))], "wrong tokens")

    def token_was_right(self, network: str) -> None:
        """The attempt was right."""
        self._token.give_back(_key(network))

    def ask_for_mail(self, email: str, network: str) -> None:
        """Count a request to mail something to `email`; each one counts.

        Raises:
            RateLimited: this address was sent enough, or this network asked for enough.
        """
        _take([(self._mails_from_network, _key(network)), (self._mail, _key(email))], "requests")

    def invite(self, email: str, user_id: str) -> None:
        """Count an invitation of `email` by a user; each one counts.

        Raises:
            RateLimited: this address was invited enough, or this user has invited enough.
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
    """16 bytes whatever the length of the parts: their sender chooses it, and the memory is ours."""
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).digest()
