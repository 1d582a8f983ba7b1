"""Prints every route of the real app with its guards, as JSON; run it in a process of its own (one store a process)."""

import json
import os
import sys

from litestar.routes import HTTPRoute

from tallyroom.core.settings import Settings
from tallyroom.server.app import SHORTCUT_GUARDS, build_framework
from tallyroom.server.dependencies import build_dependencies
from tallyroom.server.opening import open_services


def main(data: str) -> None:
    """The OPTIONS that the framework answers by itself are left out: they tell the methods of a path, nothing else."""
    services = open_services(Settings(data=data, disk_reserve_bytes=0))
    app = build_framework(services, build_dependencies(services))
    found = [
        [method, route.path, [guard.__name__ for guard in handler.resolve_guards()]]
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for method, (handler, _) in route.route_handler_map.items()
        if "create_options_handler" not in handler.fn.__qualname__
    ]
    found += [[method, path, [guard.__name__]] for (method, path), guard in SHORTCUT_GUARDS.items()]
    others = [route.path for route in app.routes if not isinstance(route, HTTPRoute)]
    sys.stdout.write(json.dumps({"routes": found, "others": others}))
    sys.stdout.flush()
    os._exit(0)  # nothing here is worth a tidy stop


if __name__ == "__main__":
    main(sys.argv[1])
