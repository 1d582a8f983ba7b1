"""`tallyroom user`: the operator creates users and sets their passwords."""

import sys
from getpass import getpass
from typing import Annotated

from cyclopts import App, Parameter

from tallyroom.auth.roles import Role
from tallyroom.auth.sign_in.new_user import check_new_user
from tallyroom.cli.metadata import DataOption, run_as_operator
from tallyroom.core.errors import TallyroomError

user_app = App(name="user", help="Create users and set their passwords.")

Email = Annotated[str, Parameter(help="E-mail address, by which the user signs in.")]
PasswordStdin = Annotated[bool, Parameter(negative="", help="Read the password from the first line of standard input.")]


@user_app.command
def create(
    *,
    email: Email,
    name: Annotated[str, Parameter(help="The user's name.")],
    workspace: Annotated[str, Parameter(help="Id or name of the workspace that the user becomes a member of.")],
    role: Annotated[Role, Parameter(help="What the user may do there.")],
    password_stdin: PasswordStdin = False,
    data: DataOption = None,
) -> None:
    """Create a user who is a member of a workspace. The command asks for the password. A server may be running."""
    new_user = check_new_user(email, name, _read_password(from_stdin=password_stdin))
    joined_workspace = run_as_operator(data, lambda operator: operator.create_user(new_user, workspace, role))
    sys.stdout.write(
        f"{new_user.email} can sign in and is {role} of {joined_workspace.name} ({joined_workspace.id}).\n"
    )


@user_app.command
def reset_password(*, email: Email, password_stdin: PasswordStdin = False, data: DataOption = None) -> None:
    """Set a user's password. The command asks for it, and ends all of the user's sessions and personal access tokens.

    A server may be running.
    """
    user = check_new_user(email, "-", _read_password(from_stdin=password_stdin))
    run_as_operator(data, lambda operator: operator.reset_password(user.email, user.password))
    sys.stdout.write(f"{user.email} has the new password and is signed out everywhere.\n")


def _read_password(*, from_stdin: bool) -> str:
    """Read the password, but never from the command line, where other users of the machine could see it."""
    if from_stdin:
        try:
            return sys.stdin.readline().rstrip("\r\n")
        except UnicodeDecodeError as error:
            raise TallyroomError("The password is not text in UTF-8. Nothing was changed.") from error
    if not sys.stdin.isatty():
        raise TallyroomError("There is no terminal to ask for the password; give it with --password-stdin.")
    password = getpass("Password: ")
    if getpass("Repeat the password: ") != password:
        raise TallyroomError("The two passwords differ. Nothing was changed.")
    return password
