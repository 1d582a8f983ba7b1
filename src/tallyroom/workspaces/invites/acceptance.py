"""The rules of accepting: a token works once, only for the invited address, and never takes over an account."""

from collections.abc import Iterable

from tallyroom.auth.audit import Action, Initiator, record
from tallyroom.auth.authenticator import Authenticator
from tallyroom.auth.caller import Caller
from tallyroom.auth.identity import IdentityOut, NewSession, identity_of
from tallyroom.auth.password_blocklist import refuse_guessable
from tallyroom.auth.password_check import find_user_with_password
from tallyroom.auth.prepared_password import prepare_new_password
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.repository import (
    add_user,
    find_email,
    find_membership,
    find_user_by_email,
    find_workspace,
    list_workspaces_and_roles,
    set_session_workspace,
)
from tallyroom.auth.resets import reload_if_same_password
from tallyroom.auth.secrets import hash_secret
from tallyroom.auth.throttle import Throttle
from tallyroom.auth.workspaces import add_member
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Conflict, Detail, Forbidden, Unauthorized, ValidationFailed
from tallyroom.core.ids import IdGenerator
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Invite, Membership, User
from tallyroom.storage.metadata.write_turns import set_write_turn_owner
from tallyroom.workspaces.invites import repository
from tallyroom.workspaces.invites.schemas import AcceptanceIn

_HAS_ACCOUNT_MESSAGE = "This email address already has an account. Sign in first, then accept."
_WRONG_PASSWORD_MESSAGE = "This email address already has an account with another password."  # noqa: S105 # a sentence


class InviteAcceptance:
    """Makes invited people members; no transaction is open during a hash, which takes tens of milliseconds."""

    def __init__(
        self, authenticator: Authenticator, throttle: Throttle, clock: Clock, id_generator: IdGenerator
    ) -> None:
        self._authenticator = authenticator
        self._throttle = throttle
        self._clock = clock
        self._id_generator = id_generator

    async def join_as_signed_in(self, body: AcceptanceIn, caller: Caller, principal: MemberPrincipal) -> IdentityOut:
        """Make the signed-in person a member; their session moves to the new workspace.

        Raises `RateLimited`, `ValidationFailed` for the token or an unexpected name or password, `Forbidden` if the
        invitation is for another address, and `Conflict` for a member or too many workspaces.
        """
        await self._refuse_unknown_token(body.token, caller.client_network)
        if body.name is not None or body.password is not None:
            raise ValidationFailed("You are signed in. Name and password are only for people without an account.")
        set_write_turn_owner(principal.user_id)
        async with self._authenticator.database.session(write=True) as db:
            invite = await self._find_open_invite(db, body.token)
            if await find_email(db, principal.user_id) != invite.email:
                raise Forbidden("This invitation is for another address. Sign out, or ask for a new invitation.")
            if await find_membership(db, principal.user_id, invite.workspace_id) is not None:
                raise Conflict("You are already a member of this workspace.")
            await self._accept_invite(db, invite, principal.user_id)
            await set_session_workspace(db, principal.session_hash, invite.workspace_id)
            return await identity_of(db, principal.user_id, invite.workspace_id)

    async def join_as_newcomer(
        self, body: AcceptanceIn, caller: Caller, old_session_tokens: Iterable[str]
    ) -> NewSession:
        """Create an account for the invited address, make it a member and sign it in.

        An account that belongs to no workspace cannot sign in first; it enters here, with its own password. Raises
        `RateLimited`, `Unavailable`, `ValidationFailed`, `Conflict` if the account must sign in first, and
        `Unauthorized` for a wrong password.
        """
        await self._refuse_unknown_token(body.token, caller.client_network)
        async with self._authenticator.database.session(write=False) as db:
            # A faster request made the account that is found next.
            invite = await self._find_open_invite(db, body.token)
            workspace = await find_workspace(db, invite.workspace_id)
            user = await find_user_by_email(db, invite.email)
            if user is not None and await list_workspaces_and_roles(db, user.id):
                raise Conflict(_HAS_ACCOUNT_MESSAGE)
        if user is None:
            set_write_turn_owner(invite.workspace_id)
            new_user = await self._build_new_user(invite, body, workspace.name if workspace else "", caller)
            async with self._authenticator.database.session(write=True) as db:
                invite = await self._find_open_invite(db, body.token)  # another request may have been faster
                if await find_user_by_email(db, new_user.email) is not None:
                    raise Conflict(_HAS_ACCOUNT_MESSAGE)
                await add_user(db, new_user)
                return await self._join_and_sign_in(db, invite, new_user, caller, old_session_tokens)
        user = await self._authenticate_user(user, body, caller)
        async with self._authenticator.database.session(write=True) as db:
            invite = await self._find_open_invite(db, body.token)
            return await self._join_and_sign_in(
                db, invite, await reload_if_same_password(db, user, _WRONG_PASSWORD_MESSAGE), caller, old_session_tokens
            )

    async def _refuse_unknown_token(self, token: str, client_network: str) -> None:
        await self._throttle.count_token_attempt(client_network)
        if not await repository.has_open_invite(self._authenticator.database, hash_secret(token), self._clock.now_ms()):
            raise _build_token_refusal()
        await self._throttle.undo_token_attempt(client_network)

    async def _build_new_user(self, invite: Invite, body: AcceptanceIn, workspace_name: str, caller: Caller) -> User:
        if body.name is None or body.password is None:
            required_fields = {"name": body.name, "password": body.password}
            raise ValidationFailed.of(
                [Detail([name], "is required") for name in required_fields if required_fields[name] is None]
            )
        password = prepare_new_password(body.password, "password")
        refuse_guessable(password, (invite.email, body.name, workspace_name), "password")
        return User(
            id=self._id_generator.new(),
            email=invite.email,
            name=body.name,
            password_hash=await self._authenticator.passwords.hash(password, caller, invite.workspace_id),
            created_at_ms=self._clock.now_ms(),
        )

    async def _authenticate_user(self, user: User, body: AcceptanceIn, caller: Caller) -> User:
        if body.password is None:
            raise ValidationFailed.at(["password"], "is required")
        authenticated_user = await find_user_with_password(
            self._authenticator, self._throttle, user.email, body.password, caller
        )
        if authenticated_user is None:
            raise Unauthorized(_WRONG_PASSWORD_MESSAGE)
        return authenticated_user

    async def _join_and_sign_in(
        self, db: Session, invite: Invite, user: User, caller: Caller, old_session_tokens: Iterable[str]
    ) -> NewSession:
        await self._accept_invite(db, invite, user.id)
        await self._authenticator.familiar_places.note_sign_in(db, user.id, caller.client_network)
        session_token = await self._authenticator.sessions.create(db, user.id, invite.workspace_id, old_session_tokens)
        return NewSession(await identity_of(db, user.id, invite.workspace_id), session_token)

    async def _find_open_invite(self, db: Session, token: str) -> Invite:
        invite = await repository.find_invite_by_token(db, hash_secret(token), self._clock.now_ms())
        if invite is None:
            raise _build_token_refusal()
        return invite

    async def _accept_invite(self, db: Session, invite: Invite, user_id: str) -> None:
        now_ms = self._clock.now_ms()
        membership = Membership(
            user_id=user_id, workspace_id=invite.workspace_id, role=invite.role, joined_at_ms=now_ms
        )
        await repository.delete_invite(db, invite)
        await add_member(db, membership)
        details = {"email": invite.email, "role": invite.role}
        initiator = Initiator(invite.workspace_id, user_id)
        await record(
            db, initiator, Action.INVITE_ACCEPT, invite.id, details, clock=self._clock, id_generator=self._id_generator
        )


def _build_token_refusal() -> ValidationFailed:
    return ValidationFailed.at(["token"], "is not valid: it was used, withdrawn or replaced, or has expired")
