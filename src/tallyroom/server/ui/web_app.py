"""The built web app: its files, read once at the start, and which request gets which file (rules/safety#web-app)."""

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

ASSETS = "/assets/"  # the prefix of files whose names change with their content
PAGE = "/index.html"
PUBLIC_PAGE = "public.html"
"""The page of public dashboards, which `server/ui/public_view.py` completes for each of them."""

_POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data: https:",  # pictures of bots, and pictures in notes
    "font-src": "'self'",
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


def build_policy(*, may_be_framed: bool) -> str:
    """Return the content security policy of a page; `may_be_framed` allows frames on other sites."""
    ancestors = {"frame-ancestors": "*"} if may_be_framed else {}
    return "; ".join(f"{directive} {sources}" for directive, sources in (_POLICY | ancestors).items())


CSP = build_policy(may_be_framed=False)
_PAGE_HEADERS: list[Header] = [
    (b"content-security-policy", CSP.encode()),
    (b"referrer-policy", b"same-origin"),
    (b"vary", b"accept"),
]
_HTTPS_HEADER: Header = (b"cross-origin-opener-policy", b"same-origin")
"""Over plain http, browsers ignore it and report an error."""

_CODING_BY_SUFFIX = {".br": "br", ".gz": "gzip"}
_PRELOADS_FILE = "/preloads.json"
_BUILD_ONLY_FILES = {"/manifest.json", "/public-manifest.json", _PRELOADS_FILE, f"/{PUBLIC_PAGE}"}
_READ_METHODS = {"GET", "HEAD"}

_log = logging.getLogger(__name__)


class WebApp:
    """Answers requests for the app's files, and for its pages, which are all the same file.

    `may_sign_in` returns whether a `Cookie` header may sign a person in. `other_segments` begin paths that are not
    pages.
    """

    @classmethod
    def read(
        cls, folder: Traversable, platforms: Iterable[str], may_sign_in: Callable[[str], bool], *, is_https: bool
    ) -> "WebApp | None":
        """Read a built folder, which contains `index.html`; return None, and log it, if it does not exist."""
        if not folder.joinpath(PAGE.removeprefix("/")).is_file():
            _log.info("the web app is not built, so / is a plain page; `make run` builds it where Node is installed")
            return None
        bodies_by_path: defaultdict[str, dict[str, bytes]] = defaultdict(dict)
        for path, body in _iter_files(folder, "/"):
            suffix = path[path.rfind(".") :]
            plain_path = path.removesuffix(suffix) if suffix in _CODING_BY_SUFFIX else path
            bodies_by_path[plain_path][_CODING_BY_SUFFIX.get(suffix, "")] = body
        page_headers = [*_PAGE_HEADERS, *([_HTTPS_HEADER] if is_https else [])]
        file_by_path = {
            path: _build_static_file(path, body_by_coding, page_headers)
            for path, body_by_coding in bodies_by_path.items()
            if path not in _BUILD_ONLY_FILES
        }
        preload_links = PreloadLinks.read(bodies_by_path.get(_PRELOADS_FILE, {}).get(""))
        return cls(file_by_path, preload_links, may_sign_in, SERVER_SEGMENTS | frozenset(platforms))

    def __init__(
        self,
        file_by_path: Mapping[str, StaticFile],
        preload_links: PreloadLinks,
        may_sign_in: Callable[[str], bool],
        other_segments: frozenset[str],
    ) -> None:
        self._page_file = file_by_path[PAGE]
        self._preload_links = preload_links
        self._may_sign_in = may_sign_in
        self._file_by_path = {path: file for path, file in file_by_path.items() if path != PAGE}
        self._other_segments = other_segments

    async def __call__(self, scope: HTTPScope) -> HttpAnswer | None:
        """Return the answer; None if the request is for something else."""
        if scope["method"] not in _READ_METHODS or b"//" in scope["raw_path"]:
            return None
        path, headers = scope["path"], list(scope["headers"])
        if file := self._file_by_path.get(path):
            return file.build_answer(headers)
        return self._build_page_answer(path, headers) if self._wants_page(path, headers) else None

    def _build_page_answer(self, path: str, headers: list[Header]) -> HttpAnswer:
        answer = self._page_file.build_answer(headers)
        may_be_signed_in = any(
            name == b"cookie" and self._may_sign_in(value.decode("latin-1")) for name, value in headers
        )
        link = self._preload_links.build_link_header(path) if may_be_signed_in else None
        return answer if link is None else answer._replace(headers=[*answer.headers, (b"link", link)])

    def _wants_page(self, path: str, headers: list[Header]) -> bool:
        """Return whether a page of the app is wanted: at `/` by any client, elsewhere by clients that accept HTML."""
        if path == "/":
            return True
        if path.split("/", 2)[1] in self._other_segments:
            return False
        accept_header = b",".join(value for name, value in headers if name == b"accept")
        return accepts(accept_header.decode("latin-1"), "text/html")


def read_public_page(folder: Traversable) -> bytes | None:
    """Return the page of public dashboards from a built folder; None if it does not exist."""
    file = folder.joinpath(PUBLIC_PAGE)
    return file.read_bytes() if file.is_file() else None


def _iter_files(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _iter_files(entry, f"{path}{entry.name}/")
        else:
            yield path + entry.name, entry.read_bytes()


def _build_static_file(path: str, body_by_coding: Mapping[str, bytes], page_headers: list[Header]) -> StaticFile:
    if path.startswith(ASSETS):
        return StaticFile.of(path, body_by_coding, IMMUTABLE, [])
    return StaticFile.of(path, body_by_coding, REVALIDATE, page_headers if path == PAGE else [])
