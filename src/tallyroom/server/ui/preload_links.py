"""What a page of the web app needs first, named in its header (rules/safety#web-app).

A browser then fetches the files of the page, and what the page asks first, while the app's own script is on its way.
"""

import json
import re
from collections.abc import Mapping
from typing import NamedTuple, TypedDict

_NAME = re.compile(r"\$(\w+)")
_ANY = "[^/]+"
_PLAIN = "[A-Za-z0-9_-]+"
"""In a request, any other name would have to be escaped as the app escapes it."""


class RouteFiles(TypedDict):
    """What the build found out about a route.

    Attributes:
        scripts: paths of modules.
        styles: paths of stylesheets.
        requests: paths of the API, in which `$name` stands for that part of the page's path.
    """

    scripts: list[str]
    styles: list[str]
    requests: list[str]


class _Route(NamedTuple):
    path: re.Pattern[str]
    header: str
    """With the name of a group in each pair of braces."""


class PreloadLinks:
    """Knows the header by the path of a page.

    Args:
        needs: what each route needs, by its path, in which `$name` stands for any name.
    """

    @classmethod
    def read(cls, body: bytes | None) -> "PreloadLinks":
        """Read what the build wrote; without it, no page has such a header."""
        return cls(json.loads(body) if body else {})

    def __init__(self, needs: Mapping[str, RouteFiles]) -> None:
        self._routes = [_route(path, needs[path]) for path in sorted(needs, key=_rank)]

    def header(self, path: str) -> bytes | None:
        """Return the value of `Link` for a page, or None if nothing is known to be needed there."""
        for route in self._routes:
            if match := route.path.fullmatch(path):
                return route.header.format(**match.groupdict()).encode("ascii")
        return None


def _rank(path: str) -> list[bool]:
    """Sort a word before a name in its place, as the app's router does: `/bots/image` is no bot."""
    return [_NAME.fullmatch(part) is not None for part in path.split("/")]


def _route(path: str, files: RouteFiles) -> _Route:
    links = [f"<{script}>; rel=modulepreload" for script in files["scripts"]]
    links += [f"<{style}>; rel=preload; as=style; crossorigin" for style in files["styles"]]
    links += [f"<{request}>; rel=preload; as=fetch; crossorigin" for request in files["requests"]]
    names = {name for request in files["requests"] for name in _NAME.findall(request)}
    pattern = _NAME.sub(lambda name: f"(?P<{name[1]}>{_PLAIN if name[1] in names else _ANY})", path)
    return _Route(re.compile(pattern), _NAME.sub(r"{\1}", ", ".join(links)))
