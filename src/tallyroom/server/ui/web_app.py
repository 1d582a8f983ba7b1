"""The built web app: its files, read once at the start, and which request gets which of them (rules/safety#web-app).

The folder is made by `make run` and is part of every package. Without it, as in a source checkout on a machine without
Node, the page at `/` is the one of `page.py`.
"""

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.resources.abc import Traversable

from litestar.types import HTTPScope

from tallyroom.rest.accept_headers import accepts
from tallyroom.rest.answer import Header, HttpAnswer
from tallyroom.rest.hosts import SERVER_SEGMENTS
from tallyroom.rest.static_file import IMMUTABLE, REVALIDATE, StaticFile
from tallyroom.server.ui.preload_links import PreloadLinks

ASSETS = "/assets/"
"""Below it are the files whose names change with their content."""

PAGE = "/index.html"
PUBLIC_PAGE = "public.html"
"""The page of public dashboards, which is completed for each of them (server/ui/public_view.py)."""

_POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data: https:",  # pictures of bots, and those that notes name
    "font-src": "'none'",
    "connect-src": "'self'",
    "frame-src": "'self'",  # the preview of a mail
    "worker-src": "'self'",
    "manifest-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "tallyroom",  # the policy that starts the worker of the event stream
}


def policy_of(*, may_be_framed: bool) -> str:
    """Return the content security policy of a page; with `may_be_framed`, pages of others may show it in a frame."""
    ancestors = {"frame-ancestors": "*"} if may_be_framed else {}
    return "; ".join(f"{directive} {sources}" for directive, sources in (_POLICY | ancestors).items())


CSP = policy_of(may_be_framed=False)
_HEADERS_OF_PAGE: list[Header] = [
    (b"content-security-policy", CSP.encode()),
    (b"referrer-policy", b"same-origin"),
    (b"vary", b"accept"),
]
_OVER_HTTPS: Header = (b"cross-origin-opener-policy", b"same-origin")
"""Over plain http, browsers ignore it and call that an error."""

_CODINGS = {".br": "br", ".gz": "gzip"}
_PRELOADS = "/preloads.json"
_OF_THE_BUILD = {"/manifest.json", "/public-manifest.json", _PRELOADS, f"/{PUBLIC_PAGE}"}
_READING = {"GET", "HEAD"}

_log = logging.getLogger(__name__)


class WebApp:
    """Answers requests for the app's files, and for its pages, which all are the same file.

    Args:
        files: those of the app by path, `/index.html` among them.
        preloads: what each page needs first, of whoever is signed in.
        may_sign_in: returns whether a `Cookie` header says that somebody is.
        elsewhere: first path segments that are no pages of the app.
    """

    @classmethod
    def read(
        cls, folder: Traversable, platforms: Iterable[str], may_sign_in: Callable[[str], bool], *, secure: bool
    ) -> "WebApp | None":
        """Read a folder that was built; return None, with a line in the log, if it is not there.

        Args:
            folder: what the build wrote, with `index.html` in it.
            platforms: first path segments of the statistics API.
            may_sign_in: returns whether a `Cookie` header may sign somebody in.
            secure: whether browsers reach the server over https.
        """
        if not folder.joinpath(PAGE.removeprefix("/")).is_file():
            _log.info("the web app is not built, so / is a plain page; `make run` builds it where Node is installed")
            return None
        bodies: defaultdict[str, dict[str, bytes]] = defaultdict(dict)
        for path, body in _files(folder, "/"):
            suffix = path[path.rfind(".") :]
            bodies[path.removesuffix(suffix) if suffix in _CODINGS else path][_CODINGS.get(suffix, "")] = body
        of_page = [*_HEADERS_OF_PAGE, *([_OVER_HTTPS] if secure else [])]
        files = {path: _built(path, forms, of_page) for path, forms in bodies.items() if path not in _OF_THE_BUILD}
        preloads = PreloadLinks.read(bodies.get(_PRELOADS, {}).get(""))
        return cls(files, preloads, may_sign_in, SERVER_SEGMENTS | frozenset(platforms))

    def __init__(
        self,
        files: Mapping[str, StaticFile],
        preloads: PreloadLinks,
        may_sign_in: Callable[[str], bool],
        elsewhere: frozenset[str],
    ) -> None:
        self._page = files[PAGE]
        self._preloads = preloads
        self._may_sign_in = may_sign_in
        self._files = {path: file for path, file in files.items() if path != PAGE}
        self._elsewhere = elsewhere

    async def __call__(self, scope: HTTPScope) -> HttpAnswer | None:
        """Return the answer; None if the request is for something else."""
        if scope["method"] not in _READING or b"//" in scope["raw_path"]:
            return None
        path, headers = scope["path"], list(scope["headers"])
        if file := self._files.get(path):
            return file.answer(headers)
        return self._page_answer(path, headers) if self._is_page(path, headers) else None

    def _page_answer(self, path: str, headers: list[Header]) -> HttpAnswer:
        answer = self._page.answer(headers)
        signed_in = any(name == b"cookie" and self._may_sign_in(value.decode("latin-1")) for name, value in headers)
        link = self._preloads.header(path) if signed_in else None
        return answer if link is None else answer._replace(headers=[*answer.headers, (b"link", link)])

    def _is_page(self, path: str, headers: list[Header]) -> bool:
        """Return whether a page of the app is wanted: at `/` by whoever asks, elsewhere by who reads HTML."""
        if path == "/":
            return True
        if path.split("/", 2)[1] in self._elsewhere:
            return False
        offers = b",".join(value for name, value in headers if name == b"accept")
        return accepts(offers.decode("latin-1"), "text/html")


def public_page(folder: Traversable) -> bytes | None:
    """Return the page of public dashboards from a folder that was built; None if it is not there."""
    file = folder.joinpath(PUBLIC_PAGE)
    return file.read_bytes() if file.is_file() else None


def _files(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    """Yield the path and the bytes of each file below a folder."""
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files(entry, f"{path}{entry.name}/")
        else:
            yield path + entry.name, entry.read_bytes()


def _built(path: str, bodies: Mapping[str, bytes], of_page: list[Header]) -> StaticFile:
    if path.startswith(ASSETS):
        return StaticFile.of(path, bodies, IMMUTABLE, [])
    return StaticFile.of(path, bodies, REVALIDATE, of_page if path == PAGE else [])
