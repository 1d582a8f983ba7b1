"""Puts the subcommands together and turns a refusal into one sentence."""

import os
import sys

from cyclopts import App

from tallyroom.core.errors import TallyroomError
from tallyroom.core.version import running_version

app = App(name="tallyroom", version=running_version, help="Event analytics from one small server.")
# By path, so that a command loads only what it needs: the server brings the ClickHouse engine with it.
app.command("tallyroom.cli.serve:serve", help="Start the server.")
app.command(
    "tallyroom.cli.import_command:import_app", name="import", help="Import events from a file into a running server."
)
app.command("tallyroom.cli.bots:bots_app", name="bots", help="Feed a bot listing from a file or from another listing.")
app.command("tallyroom.cli.export:export", help="Export events from a running server to a file.")
app.command("tallyroom.cli.backup:backup", help="Copy all data to a directory; the server may be running.")
app.command("tallyroom.cli.backup:restore", help="Create a data directory from a backup.")
app.command("tallyroom.cli.backup:verify", help="Verify a backup against its hashes.")
app.command("tallyroom.cli.doctor:doctor", help="Check the installation, and suggest how to fix what is wrong.")
app.command("tallyroom.cli.migrate_store:migrate_store", help="Move all data to the servers of a cluster, or back.")
app.command("tallyroom.cli.spool:spool_app", name="spool", help="Deliver the events that a removed worker left behind.")
app.command("tallyroom.cli.user:user_app", name="user", help="Create users and set their passwords.")
app.command("tallyroom.cli.workspace:workspace_app", name="workspace", help="List workspaces and set their plans.")


def main() -> None:
    """Run the command, and report an error, ours or the system's, as one sentence instead of a stack trace."""
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except TallyroomError as error:
        sys.stderr.write(f"tallyroom: {error.message}\n")
        sys.exit(1)
    except OSError as error:
        if not isinstance(error, BrokenPipeError):  # such as when `head` has seen enough of the output
            file_note = f" ({error.filename})" if error.filename else ""
            sys.stderr.write(f"tallyroom: {error.strerror or error}{file_note}.\n")
        _discard_output()
        sys.exit(1)


def _discard_output() -> None:
    """Discard output that cannot be written, so that the interpreter does not fail on it again when it exits."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
