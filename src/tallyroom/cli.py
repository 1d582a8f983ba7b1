"""The command `tallyroom`."""

import os
import sys
from typing import Annotated

from cyclopts import App, Parameter

from tallyroom import __version__
from tallyroom.core.errors import TallyroomError
from tallyroom.core.settings import load_settings
from tallyroom.server import serve as run_server

app = App(name="tallyroom", version=__version__, help="Event analytics from one small server.")


@app.command
def serve(
    *,
    host: Annotated[str | None, Parameter(help="Address to listen on (TALLYROOM_HOST, 127.0.0.1).")] = None,
    port: Annotated[int | None, Parameter(help="Port to listen on (TALLYROOM_PORT, 8480).")] = None,
    data: Annotated[str | None, Parameter(help="Data directory (TALLYROOM_DATA, ./data).")] = None,
) -> None:
    """Start the server. Every setting is also an environment variable; see docs/settings.md."""
    run_server(load_settings(os.environ, host=host, port=port, data=data))


def main() -> None:
    """Run the command; a refusal is one sentence, not a stack trace."""
    try:
        app()
    except TallyroomError as error:
        sys.stderr.write(f"tallyroom: {error.message}\n")
        sys.exit(1)
