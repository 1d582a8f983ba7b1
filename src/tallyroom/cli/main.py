"""Puts the subcommands together and turns a refusal into one sentence."""

import sys

from cyclopts import App

from tallyroom import __version__
from tallyroom.cli.serve import serve
from tallyroom.core.errors import TallyroomError

app = App(name="tallyroom", version=__version__, help="Event analytics from one small server.")
app.command(serve)


def main() -> None:
    """Run the command; a refusal is one sentence, not a stack trace."""
    try:
        app()
    except TallyroomError as error:
        sys.stderr.write(f"tallyroom: {error.message}\n")
        sys.exit(1)
