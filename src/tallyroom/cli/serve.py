"""`tallyroom serve`."""

import os
from typing import Annotated

from cyclopts import Parameter

from tallyroom.core.settings import load_settings
from tallyroom.server import serve as run_server


def serve(
    *,
    host: Annotated[str | None, Parameter(help="Address to listen on (TALLYROOM_HOST, 127.0.0.1).")] = None,
    port: Annotated[int | None, Parameter(help="Port to listen on (TALLYROOM_PORT, 8480).")] = None,
    data: Annotated[str | None, Parameter(help="Data directory (TALLYROOM_DATA, ./data).")] = None,
) -> None:
    """Start the server. Every setting is also an environment variable; see docs/settings.md."""
    run_server(load_settings(os.environ, host=host, port=port, data=data))
