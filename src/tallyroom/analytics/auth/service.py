"""The rules of sign-up, sign-in and sign-out."""

from typing import NamedTuple

from tallyroom.analytics.auth import repository
from tallyroom.analytics.auth.schemas import IdentityOut, LoginIn, MembershipOut, SignupIn, UserOut, WorkspaceOut
from tallyroom.auth.authenticator import Authenticator
from tallyroom.auth.roles import Role
from tallyroom.auth.secrets import hash_secret
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Conflict, Forbidden, Unauthorized
from tallyroom.core.ids import Ids
from tallyroom.core.settings import Settings
from tallyroom.db.connection import Session
from tallyroom.db.models import Membership, User, Workspace

FIRST_ENVIRONMENTS = ("production", "development")


class SignedIn(NamedTuple):
    """A new session: what to answer, and the token that is told only now."""

    identity: IdentityOut
    token: str


class Accounts:
    """Signs people up, in and out.

    It opens its own transactions: a password hash takes tens of milliseconds, and no transaction may stay open
    meanwhile.
    """

    def __init__(self, authenticator: Authenticator, clock: Clock, ids: Ids) -> None:
        self._auth = authenticator
        self._clock = clock
        self._ids = ids

    async def sign_up(self, body: SignupIn, old_token: str | None) -> SignedIn:
        """Make a user with a workspace of his own and sign him in; `old_token` is what his browser held before.

        Raises:
            Forbidden: sign-up is closed.
            Conflict: the address has an account.
        """
        email = body.email.lower()
        async with self._auth.database.session(write=False) as db:
            await _refuse_sign_up(db, email, self._auth.settings)  # before the work of hashing
        password_hash = await self._auth.passwords.hash(body.password)
        async with self._auth.database.session(write=True) as db:
            await _refuse_sign_up(db, email, self._auth.settings)  # somebody may have been faster
            user = User(
                id=self._ids.new(),
                email=email,
                name=body.name,
                password_hash=password_hash,
                created_at_ms=self._clock.now_ms(),
            )
            await repository.add_user(db, user)
            await create_workspace(db, self._new_workspace(body), user.id)
            return await self._start(db, user, old_token)

    async def log_in(self, body: LoginIn, old_token: str | None) -> SignedIn:
        """Sign a user in, in his oldest workspace.

        Raises:
            Unauthorized: unknown address or wrong password; nobody learns which.
            Forbidden: the user belongs to no workspace.
        """
        async with self._auth.database.session(write=False) as db:
            user = await repository.find_user_by_email(db, body.email.lower())
        right = await self._auth.passwords.verify(user.password_hash if user else None, body.password)
        if user is None or not right:
            raise Unauthorized("The e-mail address or the password is wrong.")
        async with self._auth.database.session(write=True) as db:
            return await self._start(db, user, old_token)

    async def _start(self, db: Session, user: User, old_token: str | None) -> SignedIn:
        # A token from before the sign-in may have been planted by somebody else: it ends here.
        if old_token is not None:
            await self._auth.sessions.end(db, hash_secret(old_token))
        memberships = await repository.list_memberships(db, user.id)
        if not memberships:
            raise Forbidden("You belong to no workspace; ask for an invitation.")
        workspace_id = memberships[0][0].id
        token = await self._auth.sessions.create(db, user.id, workspace_id)
        return SignedIn(await identity_of(db, user.id, workspace_id), token)

    def _new_workspace(self, body: SignupIn) -> Workspace:
        return Workspace(
            id=self._ids.new(),
            name=body.workspace_name or f"{body.name}'s workspace",
            plan=self._auth.settings.default_plan,
            timezone="UTC",
            created_at_ms=self._clock.now_ms(),
        )


async def create_workspace(db: Session, workspace: Workspace, owner_id: str) -> None:
    """Store a workspace with its environments production and development and its first owner."""
    owner = Membership(
        user_id=owner_id, workspace_id=workspace.id, role=Role.OWNER, joined_at_ms=workspace.created_at_ms
    )
    await repository.add_workspace(db, workspace, FIRST_ENVIRONMENTS, owner)


async def identity_of(db: Session, user_id: str, workspace_id: str) -> IdentityOut:
    """What sign-up, sign-in and `me` answer.

    Raises:
        Unauthorized: the user or his membership is gone since the guard looked.
    """
    user = await repository.find_user(db, user_id)
    memberships = await repository.list_memberships(db, user_id)
    current = next(((workspace, role) for workspace, role in memberships if workspace.id == workspace_id), None)
    if user is None or current is None:
        raise Unauthorized("Sign in first.")
    workspace, role = current
    return IdentityOut(
        user=UserOut(user.id, user.email, user.name),
        workspace=WorkspaceOut(workspace.id, workspace.name, workspace.plan, workspace.timezone),
        role=role,
        workspaces=[MembershipOut(each.id, each.name, each.plan, each.timezone, role) for each, role in memberships],
    )


async def _refuse_sign_up(db: Session, email: str, settings: Settings) -> None:
    if not settings.open_signup and await repository.any_user(db):
        raise Forbidden("Sign-up is by invitation only.")
    if await repository.find_user_by_email(db, email) is not None:
        raise Conflict("This e-mail address has an account; sign in instead.")
