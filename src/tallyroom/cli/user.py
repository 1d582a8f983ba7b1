"""`tallyroom user`, and how a command opens the metadata while servers may run."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from getpass import getpass
from typing import Annotated, TypeVar

from cyclopts import App, Parameter

from tallyroom.auth.operator import Operator, check_new_user
from tallyroom.auth.passwords import Passwords
from tallyroom.auth.roles import Role
from tallyroom.cluster.open_metadata import check_metadata, open_metadata
from tallyroom.core.clock import SystemClock
from tallyroom.core.data_directory import DATABASE_FILE, refuse_backup, refuse_moved
from tallyroom.core.errors import TallyroomError
from tallyroom.core.ids import IdGenerator
from tallyroom.core.load_settings import load_settings

T = TypeVar("T")

user_app = App(name="user", help="Create users and set their passwords.")

Email = Annotated[str, Parameter(help="Email address that the user signs in with.")]
DataOption = Annotated[str | None, Parameter(help="Data directory (TALLYROOM_DATA, ./data).")]
PasswordStdin = Annotated[bool, Parameter(negative="", help="Read the password from the first line of standard input.")]


@user_app.command
def create(
    *,
    email: Email,
    name: Annotated[str, Parameter(help="The user's name.")],
    workspace: Annotated[str, Parameter(help="ID or name of the workspace that the user becomes a member of.")],
    role: Annotated[Role, Parameter(help="The user's role there.")],
    password_stdin: PasswordStdin = False,
    data: DataOption = None,
) -> None:
    """Create a user who is a member of a workspace. The command asks for the password. The server may be running."""
    new_user = check_new_user(email, name, _read_password(from_stdin=password_stdin))
    joined_workspace = run_as_operator(data, lambda operator: operator.create_user(new_user, workspace, role))
    sys.stdout.write(
        f"{new_user.email} can sign in and has the {role} role in {joined_workspace.name} ({joined_workspace.id}).\n"
    )


@user_app.command
def reset_password(*, email: Email, password_stdin: PasswordStdin = False, data: DataOption = None) -> None:
    """Set a user's password, end all of their sessions, and revoke their personal access tokens.

    The command asks for the password. The server may be running.
    """
    user = check_new_user(email, "-", _read_password(from_stdin=password_stdin))
    run_as_operator(data, lambda operator: operator.reset_password(user.email, user.password))
    sys.stdout.write(f"{user.email} has a new password and was signed out everywhere.\n")


def run_as_operator(data: str | None, action: Callable[[Operator], Awaitable[T]]) -> T:
    """Perform `action` on the metadata that the settings name; raises `TallyroomError` if it cannot be opened."""
    settings = load_settings(os.environ, data=data)
    refuse_backup(settings.data_dir)
    refuse_moved(settings.data_dir)
    database_location = settings.data_dir / DATABASE_FILE, settings.db_dsn
    check_metadata(*database_location)
    clock = SystemClock()

    async def run_action() -> T:
        database = open_metadata(*database_location)
        try:
            return await action(Operator(database, Passwords(), clock, IdGenerator(clock)))
        finally:
            await database.close()

    try:
        return asyncio.run(run_action())
    except UnicodeEncodeError as error:
        raise TallyroomError("An argument is not UTF-8 text. Nothing was changed.") from error


def _read_password(*, from_stdin: bool) -> str:
    """Read the password, but never from the command line, where other users of the machine could see it."""
    if from_stdin:
        try:
            return sys.stdin.readline().rstrip("\r\n")
        except UnicodeDecodeError as error:
            raise TallyroomError("The password is not UTF-8 text. Nothing was changed.") from error
    if not sys.stdin.isatty():
        raise TallyroomError("No terminal is available to ask for the password: use --password-stdin.")
    password = getpass("Password: ")
    if getpass("Repeat the password: ") != password:
        raise TallyroomError("The passwords do not match. Nothing was changed.")
    return password
