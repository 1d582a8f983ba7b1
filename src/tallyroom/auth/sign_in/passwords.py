"""The rules of new passwords: with the old password, or with a link that only the owner of the mailbox receives."""

import asyncio

from tallyroom.auth import repository
from tallyroom.auth.authenticator import Authenticator
from tallyroom.auth.caller import Caller
from tallyroom.auth.look_ups import look_up_user
from tallyroom.auth.prepared_password import prepare_new_password
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.recheck import recheck_role
from tallyroom.auth.resets import (
    create_reset_token,
    look_up_reset_user,
    recover_account,
    refuse_guessable_for,
    refuse_invalid_reset,
    reload_if_same_password,
    set_password_ending_sessions,
)
from tallyroom.auth.sign_in.schemas import PasswordIn, ResetConfirmIn
from tallyroom.auth.throttle import Throttle
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Unavailable, ValidationFailed
from tallyroom.core.ids import IdGenerator
from tallyroom.mail.outbox import MailOutbox
from tallyroom.storage.metadata.write_turns import set_write_turn_owner

_RESET_MAIL = """\
Someone, probably you, requested a new password for {email} at {url}.

Open this link within an hour to set one:

{url}/reset?token={token}

It works once. Setting a password signs you out everywhere and revokes your personal access tokens. If you did not
request it, ignore this email: your password stays the same.
"""


class PasswordChanger:
    """Changes passwords. It opens its own transactions; none is open during a hash."""

    def __init__(
        self,
        authenticator: Authenticator,
        throttle: Throttle,
        mail_outbox: MailOutbox,
        clock: Clock,
        id_generator: IdGenerator,
    ) -> None:
        self._authenticator = authenticator
        self._throttle = throttle
        self._mail_outbox = mail_outbox
        self._clock = clock
        self._id_generator = id_generator

    async def change(self, body: PasswordIn, principal: MemberPrincipal, caller: Caller) -> str:
        """Replace the password of the signed-in user and end all their sessions; return the token of a new one.

        Raises `RateLimited`, `Unavailable`, `ValidationFailed` for either password, and `Unauthorized` if the session
        ended or the password changed meanwhile.
        """
        user_id = principal.user_id
        password = prepare_new_password(body.new, "new")
        await self._throttle.count_password_attempt(user_id)
        async with self._authenticator.database.session(write=False) as db:
            user = await repository.find_user(db, user_id)
        try:
            password_hash = user.password_hash if user else None
            verdict = await self._authenticator.passwords.verify(password_hash, body.current, caller, user_id)
        except (Unavailable, asyncio.CancelledError):
            await self._throttle.undo_password_attempt(user_id)
            raise
        if user is None or not verdict.is_right:
            raise ValidationFailed.at(["current"], "is not your password")
        await self._throttle.clear_password_attempts(user_id)
        async with self._authenticator.database.session(write=False) as db:
            await refuse_guessable_for(db, user, password, "new")
        new_hash = await self._authenticator.passwords.hash(password, caller, user_id)
        async with self._authenticator.database.session(write=True) as db:
            await recheck_role(db, principal, self._clock)
            await reload_if_same_password(db, user, "Sign in first.")
            await set_password_ending_sessions(db, user_id, new_hash)
            await self._authenticator.familiar_places.note_sign_in(db, user_id, caller.client_network)
            return await self._authenticator.sessions.create(db, user_id, principal.workspace_id)

    async def mail_reset_link(self, email: str) -> None:
        """Mail a link to the owner of this address; without an account, nothing is written."""
        user = await look_up_user(self._authenticator.database, email.lower())
        if user is None:
            return
        set_write_turn_owner(user.id)
        async with self._authenticator.database.session(write=True) as db:
            token = await create_reset_token(db, user.id, self._clock, self._id_generator)
            mail_text = _RESET_MAIL.format(email=user.email, url=self._authenticator.settings.public_url, token=token)
            await self._mail_outbox.enqueue(db, user.email, "Set a new Tallyroom password", mail_text)
        self._mail_outbox.send_soon()

    async def reset(self, body: ResetConfirmIn, caller: Caller) -> None:
        """Set a new password with the token of a mailed link; end all sessions and personal access tokens of the user.

        Raises `RateLimited`, `Unavailable`, and `ValidationFailed` for the token or the password.
        """
        await self._throttle.count_token_attempt(caller.client_network)
        password = prepare_new_password(body.password, "password")
        # Before the work of hashing.
        user = await look_up_reset_user(self._authenticator.database, body.token, self._clock)
        await self._throttle.undo_token_attempt(caller.client_network)
        set_write_turn_owner(user.id)
        async with self._authenticator.database.session(write=False) as db:
            await refuse_guessable_for(db, user, password, "password")
        password_hash = await self._authenticator.passwords.hash(password, caller, user.id)
        async with self._authenticator.database.session(write=True) as db:
            await refuse_invalid_reset(db, body.token, self._clock)  # another request may have been faster
            await recover_account(db, user.id, password_hash, self._clock)
            await self._authenticator.familiar_places.note_sign_in(db, user.id, caller.client_network)
        await self._throttle.clear_sign_in_attempts(user.email, caller.client_network)
