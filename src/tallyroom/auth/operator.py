"""Actions of the server's operator on the command line. Roles do not limit them; the audit log records them."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from tallyroom.auth import repository
from tallyroom.auth.audit import Action, Details, Initiator, record
from tallyroom.auth.password_blocklist import refuse_guessable
from tallyroom.auth.passwords import Passwords
from tallyroom.auth.prepared_password import prepare_new_password
from tallyroom.auth.resets import recover_account, refuse_guessable_for
from tallyroom.auth.roles import Role
from tallyroom.auth.sign_in.schemas import SignupIn
from tallyroom.auth.workspaces import add_member
from tallyroom.core.clock import Clock
from tallyroom.core.email_address import check_email_address
from tallyroom.core.errors import Conflict, NotFound
from tallyroom.core.ids import IdGenerator
from tallyroom.rest.bodies import build_validation_failed
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import Membership, User, Workspace


class NewUser(NamedTuple):
    """The user to create; all fields except the password have been checked."""

    email: str
    name: str
    password: str


def check_new_user(email: str, name: str, password: str) -> NewUser:
    """Check the parts by the rules of a sign-up and return them; raise `ValidationFailed` if one breaks a rule."""
    try:
        body = msgspec.convert({"email": email, "name": name, "password": password}, SignupIn)
    except msgspec.ValidationError as error:
        raise build_validation_failed(str(error)) from error
    return NewUser(body.email.lower(), body.name, body.password)


class Operator:
    """Changes users and workspaces in the metadata database, so a server may run at the same time."""

    def __init__(self, database: Database, passwords: Passwords, clock: Clock, id_generator: IdGenerator) -> None:
        self._database = database
        self._passwords = passwords
        self._clock = clock
        self._id_generator = id_generator

    async def create_user(self, new_user: NewUser, workspace_id_or_name: str, role: Role) -> Workspace:
        """Create a user who is a member of the workspace with this id or name; return the workspace.

        Raises `NotFound` or `Conflict` for the workspace, `Conflict` for a taken address, and `ValidationFailed`.
        """
        check_email_address(new_user.email, "email")
        email = new_user.email.lower()
        password = prepare_new_password(new_user.password, "password")
        password_hash = await self._passwords.hash(password)
        async with self._database.session(write=True) as db:
            workspace = await _find_workspace(db, workspace_id_or_name)
            refuse_guessable(password, (email, new_user.name, workspace.name), "password")
            if await repository.find_user_by_email(db, email) is not None:
                raise Conflict(f"{email} already has an account; a member can invite it to another workspace.")
            now_ms = self._clock.now_ms()
            user = User(
                id=self._id_generator.new(),
                email=email,
                name=new_user.name,
                password_hash=password_hash,
                created_at_ms=now_ms,
            )
            await repository.add_user(db, user)
            membership = Membership(user_id=user.id, workspace_id=workspace.id, role=role, joined_at_ms=now_ms)
            await add_member(db, membership)
            await self._record(db, workspace.id, Action.MEMBER_ADD, user.id, {"email": email, "role": role})
        return workspace

    async def reset_password(self, email: str, raw_password: str) -> None:
        """Set a user's new password, and end their sessions and tokens; raises `NotFound` or `ValidationFailed`."""
        password = prepare_new_password(raw_password, "password")
        password_hash = await self._passwords.hash(password)
        async with self._database.session(write=True) as db:
            user = await repository.find_user_by_email(db, email.lower())
            if user is None:
                raise NotFound(f"{email} has no account.")
            await refuse_guessable_for(db, user, password, "password")
            await recover_account(db, user.id, password_hash, self._clock)
            for workspace, _ in await repository.list_workspaces_and_roles(db, user.id):
                await self._record(db, workspace.id, Action.MEMBER_RESET, user.id, {"email": user.email})

    async def set_plan(self, workspace_id_or_name: str, plan: str) -> tuple[Workspace, str]:
        """Set a workspace's plan; return the workspace and its previous plan. Raises `NotFound` or `Conflict`."""
        async with self._database.session(write=True) as db:
            workspace = await _find_workspace(db, workspace_id_or_name)
            previous_plan = workspace.plan
            if previous_plan != plan:
                workspace.plan = plan
                details = {"from": previous_plan, "to": plan}
                await self._record(db, workspace.id, Action.WORKSPACE_PLAN, workspace.id, details)
        return workspace, previous_plan

    async def list_workspaces(self) -> Sequence[tuple[Workspace, int]]:
        """List all workspaces with the number of their members, oldest first."""
        async with self._database.session(write=False) as db:
            return await repository.list_workspaces(db)

    async def _record(self, db: Session, workspace_id: str, action: Action, subject: str, details: Details) -> None:
        await record(
            db,
            Initiator(workspace_id, None),
            action,
            subject,
            details,
            clock=self._clock,
            id_generator=self._id_generator,
        )


async def _find_workspace(db: Session, workspace_id_or_name: str) -> Workspace:
    workspaces = await repository.find_workspaces(db, workspace_id_or_name)
    matches = [workspace for workspace in workspaces if workspace.id == workspace_id_or_name] or workspaces
    if not matches:
        raise NotFound(
            f"No workspace has the ID or name {workspace_id_or_name!r}; `tallyroom workspace list` lists them."
        )
    if len(matches) > 1:
        match_ids = ", ".join(workspace.id for workspace in matches)
        raise Conflict(
            f"{len(matches)} workspaces are called {workspace_id_or_name!r}; use the ID of one of them: {match_ids}."
        )
    return matches[0]
