"""The rules of new passwords: with the old password, or with a link that only the owner of the mailbox receives."""

import logging

from tallyroom.analytics.auth.schemas import PasswordIn, ResetConfirmIn
from tallyroom.auth import repository
from tallyroom.auth.authenticator import Authenticator
from tallyroom.auth.prepared_password import prepare_new
from tallyroom.auth.recheck import recheck_role
from tallyroom.auth.resets import (
    permit_reset_of,
    recover_account,
    refuse_guessable_for,
    set_password,
    unchanged,
    user_of_reset,
)
from tallyroom.auth.tenant import SessionPrincipal
from tallyroom.auth.throttle import Throttle
from tallyroom.core.clock import Clock
from tallyroom.core.errors import ValidationFailed
from tallyroom.core.ids import Ids
from tallyroom.notify.mails.outbox import MailOutbox

_LETTER = """\
Somebody, probably you, asked for a new password for {email} at {url}.

Open this link within an hour to set one:

{url}/reset?token={token}

It works once. Setting a password signs you out everywhere and revokes your personal access tokens. If you did not ask
for it, do nothing: your password stays as it is.
"""

_log = logging.getLogger(__name__)


class NewPasswords:
    """Changes passwords. It opens its own transactions, and none is open while a password is hashed."""

    def __init__(
        self, authenticator: Authenticator, throttle: Throttle, mails: MailOutbox, clock: Clock, ids: Ids
    ) -> None:
        self._auth = authenticator
        self._throttle = throttle
        self._mails = mails
        self._clock = clock
        self._ids = ids

    async def change(self, body: PasswordIn, principal: SessionPrincipal) -> str:
        """Replace the password of the signed-in user and end all their sessions; return the token of a new one.

        Raises:
            RateLimited: too many wrong current passwords.
            ValidationFailed: the current password is wrong, or the new one is not one that may be set.
            Unauthorized: the session has ended, or the password was changed, in the meantime.
        """
        user_id = principal.user_id
        password = prepare_new(body.new, "new")
        await self._throttle.try_password(user_id)
        async with self._auth.database.session(write=False) as db:
            user = await repository.find_user(db, user_id)
        verdict = await self._auth.passwords.verify(user.password_hash if user else None, body.current)
        if user is None or not verdict.right:
            raise ValidationFailed.at(["current"], "is not your password")
        await self._throttle.password_was_right(user_id)
        async with self._auth.database.session(write=False) as db:
            await refuse_guessable_for(db, user, password, "new")
        new_hash = await self._auth.passwords.hash(password)
        async with self._auth.database.session(write=True) as db:
            await recheck_role(db, principal, self._clock)
            await unchanged(db, user, "Sign in first.")
            await set_password(db, user_id, new_hash)
            return await self._auth.sessions.create(db, user_id, principal.workspace_id)

    async def mail_link(self, email: str) -> None:
        """Mail a link to the owner of the account with this address, if there is one.

        It runs after the answer, which therefore takes the same time for every address, as does a write that has to
        wait for this one. Errors are only logged.
        """
        try:
            async with self._auth.database.session(write=True) as db:
                permitted = await permit_reset_of(db, email.lower(), self._clock, self._ids)
                to, token = (permitted[0].email, permitted[1]) if permitted else ("", "")
                letter = _LETTER.format(email=to, url=self._auth.settings.public_url, token=token)
                mail_id = await self._mails.put(db, to, "A new password for Tallyroom", letter)
                await self._mails.withdraw(db, "" if permitted else mail_id)  # the same work, as for the permission
            self._mails.soon()
        except Exception:  # noqa: BLE001 # the answer has been sent, so only the log can report it
            _log.exception("no link for a new password was mailed")

    async def reset(self, body: ResetConfirmIn, network: str) -> None:
        """Set a new password with the token of a mailed link; end all sessions and personal access tokens of the user.

        Raises:
            RateLimited: too many wrong tokens from this network.
            ValidationFailed: the token is unknown, used or too old, or the password is not one that may be set.
        """
        password = prepare_new(body.password, "password")
        await self._throttle.try_token(network)
        async with self._auth.database.session(write=False) as db:
            user = await user_of_reset(db, body.token, self._clock)  # before the work of hashing
            await refuse_guessable_for(db, user, password, "password")
        password_hash = await self._auth.passwords.hash(password)
        async with self._auth.database.session(write=True) as db:
            user = await user_of_reset(db, body.token, self._clock)  # somebody may have been faster
            await recover_account(db, user.id, password_hash, self._clock)
        await self._throttle.token_was_right(network)
        await self._throttle.welcome(user.email, network)
