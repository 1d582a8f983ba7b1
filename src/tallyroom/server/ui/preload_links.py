"""What a page of the web app needs first, named in its `Link` header (rules/safety#web-app)."""

import json
import re
from collections.abc import Mapping
from typing import NamedTuple, TypedDict

_PLACEHOLDER = re.compile(r"\$(\w+)")
_ANY_SEGMENT = "[^/]+"
_PLAIN_SEGMENT = "[A-Za-z0-9_-]+"  # the app would escape any other name in a request


class RouteFiles(TypedDict):
    """What the build knows of a route; `$name` in `requests`, paths of the API, is that part of the page's path."""

    scripts: list[str]
    styles: list[str]
    requests: list[str]


class _Route(NamedTuple):
    path_pattern: re.Pattern[str]
    header_template: str  # a format string, with a regex group's name in each pair of braces


class PreloadLinks:
    """Builds the header for a page, from the needs of each route by its path, in which `$name` is any name."""

    @classmethod
    def read(cls, body: bytes | None) -> "PreloadLinks":
        """Read the build's output; without it, no page has the header."""
        return cls(json.loads(body) if body else {})

    def __init__(self, files_by_path: Mapping[str, RouteFiles]) -> None:
        self._routes = [_build_route(path, files_by_path[path]) for path in sorted(files_by_path, key=_rank_route)]

    def build_link_header(self, path: str) -> bytes | None:
        """Return the value of `Link` for a page; None if nothing is known about it."""
        for route in self._routes:
            if match := route.path_pattern.fullmatch(path):
                return route.header_template.format(**match.groupdict()).encode("ascii")
        return None


def _rank_route(path: str) -> list[bool]:
    """Sort a word before a name in its place, as the app's router does: `/bots/image` is not a bot."""
    return [_PLACEHOLDER.fullmatch(segment) is not None for segment in path.split("/")]


def _build_route(path: str, route_files: RouteFiles) -> _Route:
    links = [f"<{script}>; rel=modulepreload" for script in route_files["scripts"]]
    links += [f"<{style}>; rel=preload; as=style; crossorigin" for style in route_files["styles"]]
    links += [f"<{request}>; rel=preload; as=fetch; crossorigin" for request in route_files["requests"]]
    requested_names = {name for request in route_files["requests"] for name in _PLACEHOLDER.findall(request)}
    pattern = _PLACEHOLDER.sub(
        lambda match: f"(?P<{match[1]}>{_PLAIN_SEGMENT if match[1] in requested_names else _ANY_SEGMENT})", path
    )
    return _Route(re.compile(pattern), _PLACEHOLDER.sub(r"{\1}", ", ".join(links)))
