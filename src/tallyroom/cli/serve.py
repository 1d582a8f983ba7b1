"""`tallyroom serve`."""

import gc
import os
from collections.abc import Mapping
from typing import Annotated

from cyclopts import Parameter

from tallyroom.core.load_settings import load_settings
from tallyroom.core.secret_files import FILE_SUFFIX, SECRET_SETTINGS
from tallyroom.core.settings import PREFIX, Settings
from tallyroom.core.suggestions import find_nearest
from tallyroom.server.announcement import InitSystem
from tallyroom.server.workers.folders import needs_parent

_CLIENT_VARIABLES = frozenset({"URL", "KEY", "TOKEN", "STATS_TOKEN"})
_OTHER_PREFIXES = ("COLLECT_", "TEST_")  # of `tallyroom bots collect`, and of the tests


def serve(
    *,
    host: Annotated[str | None, Parameter(help="Address to listen on (TALLYROOM_HOST, 127.0.0.1).")] = None,
    port: Annotated[int | None, Parameter(help="Port to listen on (TALLYROOM_PORT, 8480).")] = None,
    data: Annotated[str | None, Parameter(help="Data directory (TALLYROOM_DATA, ./data).")] = None,
    workers: Annotated[int | None, Parameter(help="Number of worker processes (TALLYROOM_WORKERS, 1).")] = None,
    start_over: Annotated[
        bool, Parameter(help="Set aside everything in the data directory, and start empty.", negative="")
    ] = False,
    accept_loss: Annotated[
        bool,
        Parameter(help="Start even if the spool, the event store, the key file or part of one is lost.", negative=""),
    ] = False,
) -> None:
    """Start the server. Every setting is also an environment variable; see docs/settings.md."""
    settings = load_settings(os.environ, host=host, port=port, data=data, workers=workers)
    gc.disable()  # until the server listens: looking for garbage took a tenth of a start and finds little
    if needs_parent(settings):
        from tallyroom.server.workers.parent import serve as run_server  # noqa: PLC0415 # one server alone has none
    else:
        from tallyroom.server.serve import serve as run_server  # noqa: PLC0415 # loading it takes most of a start
    try:
        run_server(
            settings,
            start_over=start_over,
            accept_loss=accept_loss,
            warnings=find_unknown_variables(os.environ),
            init_system=InitSystem(os.environ.get("NOTIFY_SOCKET", "")),
        )
    finally:
        gc.enable()


def find_unknown_variables(environ: Mapping[str, str]) -> list[str]:
    """Return a sentence for each variable that looks like a setting but is none, without its value."""
    setting_names = {name.upper() for name in Settings.__struct_fields__} | {
        name + FILE_SUFFIX for name in SECRET_SETTINGS
    }
    unprefixed_names = sorted(name.removeprefix(PREFIX) for name in environ if name.startswith(PREFIX))
    return [
        f"{PREFIX}{name} is not a setting and has no effect{_suggest_name(name, setting_names)}"
        for name in unprefixed_names
        if name not in setting_names | _CLIENT_VARIABLES and not name.startswith(_OTHER_PREFIXES)
    ]


def _suggest_name(name: str, setting_names: set[str]) -> str:
    suggestion = find_nearest(name, sorted(setting_names))
    return f"; did you mean {PREFIX}{suggestion}?" if suggestion else "."
