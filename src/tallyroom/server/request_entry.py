"""The entry of every request: its id, its log line, its count, and the fast path to ingest."""

import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, cast

from litestar import Litestar
from litestar.enums import ScopeType
from litestar.types import HTTPScope, Message, Receive, Scope, Send

from tallyroom.core.clock import Clock
from tallyroom.core.errors import MethodNotAllowed, NotFound, TallyroomError, Unavailable
from tallyroom.core.ids import IdGenerator
from tallyroom.core.log import request_id_var
from tallyroom.rest.answer import (
    DirectHandler,
    Exchange,
    Header,
    HttpAnswer,
    add_default_headers,
    build_refusal,
    send_answer,
)
from tallyroom.rest.disconnect import serve_until_disconnect
from tallyroom.rest.hosts import HostFamilies
from tallyroom.rest.methods import ONLY_HEADERS_KEY, build_allow_header
from tallyroom.rest.path_as_sent import find_prefixes_as_sent
from tallyroom.rest.public_headers import build_public_headers
from tallyroom.server.system.metrics import Metrics

Route = tuple[str, str]


class Shortcut(NamedTuple):
    """A route without the framework: its ASGI app returns the status, 0 if the client left; the other needs no task."""

    app: Callable[[HTTPScope, Receive, Send], Awaitable[int]]
    try_handle_directly: DirectHandler | None = None


FindKeptAnswer = Callable[[HTTPScope], Awaitable[HttpAnswer | None]]
"""Returns an answer that needs no route, such as a cached picture; None if there is none."""

_FRAMEWORK_ENTRY = "framework"
_CLIENT_LEFT_STATUS = 499  # the status that other servers log for this; no one receives an answer

_log = logging.getLogger("tallyroom.access")


class RequestEntry:
    """Serves shortcuts, by (method, path), then `answer_finders` in order, then the rest with the framework."""

    def __init__(
        self,
        app: Litestar,
        shortcuts: Mapping[Route, Shortcut],
        metrics: Metrics,
        clock: Clock,
        id_generator: IdGenerator,
        host_families: HostFamilies,
        answer_finders: Sequence[FindKeptAnswer],
    ) -> None:
        self._answer_finders = answer_finders
        self._host_families = host_families
        self._app = app
        paths = {route.path for route in app.routes}
        self._allow_headers_by_path = {
            path: build_allow_header([method]) for method, path in shortcuts if path not in paths
        }
        self._prefixes_as_sent = tuple(find_prefixes_as_sent(app))
        self._shortcuts = shortcuts
        self.metrics = metrics
        self._clock = clock
        self._id_prefix = id_generator.base62(8)
        self._request_count = 0

    @property
    def direct_handlers(self) -> dict[Route, DirectHandler]:
        """Handlers, by (method, path), that the connection may try before it starts a task for a request."""
        return {
            (method, path): partial(self._handle_directly, handler, path, partial(self.metrics.count_answer, path))
            for (method, path), (_, handler) in self._shortcuts.items()
            if handler is not None
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection of the ASGI server."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        await self._serve(scope, receive, send)

    async def _serve(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        request_id_var.set(self._generate_id())
        path = scope["path"].removesuffix("/")  # as the framework does
        shortcut = self._shortcuts.get((scope["method"], path))
        if self._is_wrong_host(scope["headers"], path):
            error = NotFound("This path is not served under this host name.")
            self.metrics.count_answer(_FRAMEWORK_ENTRY, await _send_refusal(error, send))
        elif shortcut is not None:
            self.metrics.count_answer(path, await shortcut.app(scope, receive, send))
        elif (answer := await self._find_kept_answer(scope)) is not None:
            self.metrics.count_answer(_FRAMEWORK_ENTRY, await send_answer(send, answer))
        elif path in self._allow_headers_by_path:
            self.metrics.count_answer(
                path, await self._answer_other_method(self._allow_headers_by_path[path], scope["method"], send)
            )
        elif b"//" in scope["raw_path"]:  # the framework would treat it as one slash
            self.metrics.count_answer(_FRAMEWORK_ENTRY, await _send_refusal(NotFound("There is nothing here."), send))
        else:
            self.metrics.count_answer(_FRAMEWORK_ENTRY, await self._serve_by_framework(scope, receive, send))

    async def _find_kept_answer(self, scope: HTTPScope) -> HttpAnswer | None:
        """Return the cached answer, or the refusal of the request, with the common headers; None if neither."""
        request_id = request_id_var.get()
        public_headers = build_public_headers(scope["path"], scope["method"])
        try:
            for find_answer in self._answer_finders:
                if (answer := await find_answer(scope)) is not None:
                    return answer._replace(
                        headers=[*answer.headers, (b"x-request-id", request_id.encode()), *public_headers]
                    )
        except Unavailable as error:
            answer = build_refusal(error, request_id)
            return answer._replace(headers=[*answer.headers, *public_headers])
        return None

    @staticmethod
    async def _answer_other_method(headers: dict[str, str], method: str, send: Send) -> int:
        """Answer OPTIONS on a path that only shortcuts serve, and refuse other methods."""
        if method == "OPTIONS":
            raw_headers = [(name.encode(), value.encode()) for name, value in headers.items()]
            raw_headers.append((b"x-request-id", request_id_var.get().encode()))
            return await send_answer(send, HttpAnswer(204, b"", raw_headers))
        return await _send_refusal(MethodNotAllowed("This path does not support this method.", headers=headers), send)

    def _add_shortcut_methods(self, path: str, header: Header) -> Header:
        """Add the shortcuts' methods to the header `Allow`; return other headers unchanged."""
        name, value = header
        methods = [method for method, shortcut_path in self._shortcuts if shortcut_path == path.removesuffix("/")]
        if name != b"allow" or not methods:
            return header
        return name, build_allow_header([*value.decode().split(", "), *methods])["allow"].encode()

    def _handle_directly(
        self, handler: DirectHandler, path: str, count_answer: Callable[[int], object], exchange: Exchange
    ) -> bool:
        if self._is_wrong_host(exchange.headers, path):
            return False
        exchange.request_id, exchange.on_answer = self._generate_id(), count_answer
        return handler(exchange)

    def _is_wrong_host(self, headers: Iterable[Header], path: str) -> bool:
        if not self._host_families.has_family_hosts:
            return False
        host = next((value.decode("latin-1") for name, value in headers if name == b"host"), "")
        return not self._host_families.serves(host, path)

    def _generate_id(self) -> str:
        self._request_count += 1
        return f"{self._id_prefix}-{self._request_count:x}"

    async def _serve_by_framework(self, scope: HTTPScope, receive: Receive, send: Send) -> int:
        start_seconds = self._clock.monotonic()
        status = 500
        path, method = scope["path"], scope["method"]

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                id_header = (b"x-request-id", request_id_var.get().encode())
                headers = [self._add_shortcut_methods(path, header) for header in message["headers"]]
                message["headers"] = add_default_headers([*headers, id_header, *build_public_headers(path, method)])
            await send(message)

        if path.startswith(self._prefixes_as_sent):
            scope["path"] = scope["raw_path"].decode("latin-1")
        if scope["method"] == "HEAD":  # the ASGI server omits the body of the answer
            scope = cast("HTTPScope", {**scope, "method": "GET", ONLY_HEADERS_KEY: True})
        if await serve_until_disconnect(self._app, scope, receive, send_with_headers):
            status = _CLIENT_LEFT_STATUS
        duration_ms = round((self._clock.monotonic() - start_seconds) * 1000, 1)
        path_template = scope.get("path_template", path)  # without an actor key in the path
        _log.info(
            "request", extra={"method": scope["method"], "path": path_template, "status": status, "ms": duration_ms}
        )
        return status


async def _send_refusal(error: TallyroomError, send: Send) -> int:
    return await send_answer(send, build_refusal(error, request_id_var.get()))
