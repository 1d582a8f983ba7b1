"""The rules of sign-up, sign-in and sign-out (rules/people#sign-up)."""

from collections.abc import Collection, Iterable

from tallyroom.auth import look_ups, repository
from tallyroom.auth.authenticator import Authenticator
from tallyroom.auth.caller import Caller
from tallyroom.auth.identity import IdentityOut, NewSession, identity_of
from tallyroom.auth.password_blocklist import refuse_guessable
from tallyroom.auth.password_check import find_user_with_password
from tallyroom.auth.prepared_password import prepare_new_password
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.resets import reload_if_same_password
from tallyroom.auth.secrets import hash_secret
from tallyroom.auth.sign_in.repository import has_any_user
from tallyroom.auth.sign_in.schemas import LoginIn, SignupIn, SignupOut
from tallyroom.auth.throttle import Throttle
from tallyroom.auth.workspaces import set_up_workspace
from tallyroom.core.clock import Clock
from tallyroom.core.email_address import check_email_address
from tallyroom.core.errors import Conflict, Forbidden, NotFound, Unauthorized
from tallyroom.core.ids import IdGenerator
from tallyroom.core.settings import Settings
from tallyroom.core.timezones import check_timezone
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import User
from tallyroom.storage.metadata.write_turns import set_write_turn_owner

_WRONG_CREDENTIALS = "The email address or the password is wrong."


class Accounts:
    """Signs people up, in and out; no transaction is open during a hash, which takes tens of milliseconds."""

    def __init__(
        self, authenticator: Authenticator, throttle: Throttle, clock: Clock, id_generator: IdGenerator
    ) -> None:
        self._authenticator = authenticator
        self._throttle = throttle
        self._clock = clock
        self._id_generator = id_generator

    async def sign_up(self, body: SignupIn, caller: Caller, old_tokens: Iterable[str]) -> NewSession:
        """Create a user with their own workspace and sign them in, which ends the sessions of `old_tokens`.

        Raises `RateLimited`, `Unavailable`, `Forbidden` if sign-up is closed, `Conflict` for a taken address, and
        `ValidationFailed`.
        """
        await self._throttle.count_sign_up(caller.client_network)
        password = prepare_new_password(body.password, "password")
        check_email_address(body.email, "email")
        check_timezone(body.timezone, ["timezone"])
        refuse_guessable(password, (body.email, body.name, body.workspace_name or ""), "password")
        email = body.email.lower()
        await self._precheck_sign_up(email)  # before the work of hashing
        password_hash = await self._authenticator.passwords.hash(password, caller)
        async with self._authenticator.database.session(write=True) as db:
            _refuse_closed_or_taken(  # another request may have been faster
                is_open=self._authenticator.settings.open_signup or not await has_any_user(db),
                has_account=await repository.find_user_by_email(db, email) is not None,
            )
            user = User(
                id=self._id_generator.new(),
                email=email,
                name=body.name,
                password_hash=password_hash,
                created_at_ms=self._clock.now_ms(),
            )
            await repository.add_user(db, user)
            workspace_name = body.workspace_name or f"{body.name}'s workspace"
            settings, clock, ids = self._authenticator.settings, self._clock, self._id_generator
            await set_up_workspace(
                db, workspace_name, user.id, timezone=body.timezone, settings=settings, clock=clock, id_generator=ids
            )
            return await self._start_session(db, user, caller, old_tokens)

    async def log_in(self, body: LoginIn, caller: Caller, old_tokens: Iterable[str]) -> NewSession:
        """Sign a user in, in their oldest workspace.

        Raises `RateLimited`, `Unavailable`, `Forbidden` without a workspace, and `Unauthorized` for a wrong address or
        password.
        """
        email = body.email.lower()
        user = await find_user_with_password(self._authenticator, self._throttle, email, body.password, caller)
        if user is None:
            raise Unauthorized(_WRONG_CREDENTIALS)
        async with self._authenticator.database.session(write=True) as db:
            return await self._start_session(
                db, await reload_if_same_password(db, user, _WRONG_CREDENTIALS), caller, old_tokens
            )

    async def log_out(self, session_tokens: Collection[str]) -> set[str]:
        """End the sessions of `session_tokens`; return the tokens whose session was still open."""
        token_hashes = [hash_secret(token) for token in session_tokens]
        user_ids = [
            await look_ups.find_session_user_id(self._authenticator.database, token_hash) for token_hash in token_hashes
        ]
        user_id = next((user_id for user_id in user_ids if user_id is not None), None)
        if user_id is None:
            return set()
        set_write_turn_owner(user_id)
        async with self._authenticator.database.session(write=True) as db:
            return await self._end_sessions(db, session_tokens)

    async def log_out_everywhere(
        self, db: Session, principal: MemberPrincipal, session_tokens: Collection[str]
    ) -> set[str]:
        """End every session of the principal and those of `session_tokens`; return what `log_out` returns."""
        ended_tokens = await self._end_sessions(db, session_tokens)
        await repository.delete_sessions(db, principal.user_id)
        return ended_tokens

    async def _end_sessions(self, db: Session, session_tokens: Collection[str]) -> set[str]:
        return {token for token in session_tokens if await self._authenticator.sessions.end(db, hash_secret(token))}

    async def _precheck_sign_up(self, email: str) -> None:
        database = self._authenticator.database
        _refuse_closed_or_taken(
            is_open=self._authenticator.settings.open_signup or not await look_ups.has_any_user(database),
            has_account=await look_ups.look_up_user(database, email) is not None,
        )

    async def _start_session(self, db: Session, user: User, caller: Caller, old_tokens: Iterable[str]) -> NewSession:
        workspaces_and_roles = await repository.list_workspaces_and_roles(db, user.id)
        if not workspaces_and_roles:
            raise Forbidden("You do not belong to any workspace. Ask for an invitation.")
        await self._authenticator.familiar_places.note_sign_in(db, user.id, caller.client_network)
        oldest_workspace, _ = workspaces_and_roles[0]
        token = await self._authenticator.sessions.create(db, user.id, oldest_workspace.id, old_tokens)
        return NewSession(await identity_of(db, user.id, oldest_workspace.id), token)


async def who_may_sign_up(database: Database, settings: Settings) -> SignupOut:
    """Return whether no one has signed up yet, and whether sign-up is now open to everyone."""
    is_first = not await look_ups.has_any_user(database)
    return SignupOut(first=is_first, open=is_first or settings.open_signup)


async def switch_workspace(db: Session, principal: MemberPrincipal, workspace_id: str) -> IdentityOut:
    """Make another of the person's workspaces the session's current one; `NotFound` unless they are a member of it."""
    if await repository.find_membership(db, principal.user_id, workspace_id) is None:
        raise NotFound("You do not belong to this workspace.")
    await repository.set_session_workspace(db, principal.session_hash, workspace_id)
    return await identity_of(db, principal.user_id, workspace_id)


def _refuse_closed_or_taken(*, is_open: bool, has_account: bool) -> None:
    if not is_open:
        raise Forbidden("Sign-up is by invitation only.")
    if has_account:
        raise Conflict("This email address already has an account. Sign in instead.")
