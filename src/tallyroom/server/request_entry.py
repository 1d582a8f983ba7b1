"""The first thing a request meets: its id, its log line, its count, and the short way to ingest."""

import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Protocol, cast, runtime_checkable

from litestar import Litestar
from litestar.enums import ScopeType
from litestar.types import HTTPScope, Message, Receive, Scope, Send

from tallyroom.core.clock import Clock
from tallyroom.core.errors import MethodNotAllowed, NotFound, TallyroomError, Unavailable
from tallyroom.core.ids import Ids
from tallyroom.core.log import request_id_var
from tallyroom.rest.answer import Direct, Exchange, Header, HttpAnswer, refusal, send_answer, with_defaults
from tallyroom.rest.disconnect import serve_while_waited_for
from tallyroom.rest.hosts import Hosts
from tallyroom.rest.methods import ONLY_HEADERS, allow
from tallyroom.rest.path_as_sent import prefixes_as_sent
from tallyroom.rest.public_headers import public_headers
from tallyroom.server.system.metrics import Metrics

Route = tuple[str, str]


class Shortcut(Protocol):
    """A plain ASGI application that returns the status of its answer."""

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> int:
        """Answer the request, and return the status; 0 if the client was gone."""
        ...


@runtime_checkable
class DirectShortcut(Shortcut, Protocol):
    """A shortcut that can also serve a request without a task of its own."""

    def direct(self, exchange: Exchange, request_id: str) -> bool:
        """Accept a complete request, and answer it now or later; False declines it, with nothing done."""
        ...


KeptAnswer = Callable[[HTTPScope], Awaitable[HttpAnswer | None]]
"""Returns an answer that needs no route, such as a picture that was drawn before; None if it has none."""

_FRAMEWORK = "framework"
_CLIENT_LEFT = 499  # the status that other servers log for this; nobody receives an answer

_log = logging.getLogger("tallyroom.access")


class Front:
    """Routes ingest around the framework and everything else into it.

    Args:
        app: the framework's application.
        shortcuts: plain ASGI applications by (method, path).
        metrics: counts the answers.
        clock: measures how long they take.
        ids: generates request ids.
        hosts: knows which paths each host name serves.
        answers: return the answers that need no route; the first that has one counts.

    Attributes:
        metrics: as above.
    """

    def __init__(
        self,
        app: Litestar,
        shortcuts: Mapping[Route, Shortcut],
        metrics: Metrics,
        clock: Clock,
        ids: Ids,
        hosts: Hosts,
        answers: Sequence[KeptAnswer],
    ) -> None:
        self._answers = answers
        self._hosts = hosts
        self._app = app
        paths = {route.path for route in app.routes}
        self._only_shortcuts = {path: allow([method]) for method, path in shortcuts if path not in paths}
        self._as_sent = tuple(prefixes_as_sent(app))
        self._shortcuts = shortcuts
        self.metrics = metrics
        self._clock = clock
        self._process = ids.base62(8)
        self._requests = 0

    @property
    def direct(self) -> dict[Route, Direct]:
        """Handlers, by (method, path), that the connection may try before it starts a task for a request."""
        return {
            route: partial(self._direct, shortcut, route[1])
            for route, shortcut in self._shortcuts.items()
            if isinstance(shortcut, DirectShortcut)
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection of the ASGI server."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        await self._serve(scope, receive, send)

    async def _serve(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        request_id_var.set(self._next_id())
        path = scope["path"].removesuffix("/")  # as the framework does
        shortcut = self._shortcuts.get((scope["method"], path))
        if self._is_elsewhere(scope["headers"], path):
            error = NotFound("This path is not served under this host name.")
            self.metrics.count(_FRAMEWORK, await _refuse(error, send))
        elif shortcut is not None:
            self.metrics.count(path, await shortcut(scope, receive, send))
        elif (answer := await self._answered_at_once(scope)) is not None:
            self.metrics.count(_FRAMEWORK, await send_answer(send, answer))
        elif path in self._only_shortcuts:
            self.metrics.count(path, await self._other_method(self._only_shortcuts[path], scope["method"], send))
        elif b"//" in scope["raw_path"]:  # the framework would treat it as one slash
            self.metrics.count(_FRAMEWORK, await _refuse(NotFound("There is nothing here."), send))
        else:
            self.metrics.count(_FRAMEWORK, await self._framework(scope, receive, send))

    async def _answered_at_once(self, scope: HTTPScope) -> HttpAnswer | None:
        """Return the kept answer, or the refusal of the request, with the headers of every answer; None if neither."""
        request_id = request_id_var.get()
        public = public_headers(scope["path"], scope["method"])
        try:
            for find in self._answers:
                if (answer := await find(scope)) is not None:
                    return answer._replace(headers=[*answer.headers, (b"x-request-id", request_id.encode()), *public])
        except Unavailable as error:
            answer = refusal(error, request_id)
            return answer._replace(headers=[*answer.headers, *public])
        return None

    @staticmethod
    async def _other_method(headers: dict[str, str], method: str, send: Send) -> int:
        """Answer OPTIONS on a path that only shortcuts serve, and refuse the methods that they do not take."""
        if method == "OPTIONS":
            raw_headers = [(name.encode(), value.encode()) for name, value in headers.items()]
            raw_headers.append((b"x-request-id", request_id_var.get().encode()))
            return await send_answer(send, HttpAnswer(204, b"", raw_headers))
        return await _refuse(MethodNotAllowed("This path does not take this method.", headers=headers), send)

    def _with_shortcuts(self, path: str, header: Header) -> Header:
        """Add the methods that the framework does not know of to the header `Allow`; return other headers unchanged."""
        name, value = header
        methods = [method for method, shortcut_path in self._shortcuts if shortcut_path == path.removesuffix("/")]
        if name != b"allow" or not methods:
            return header
        return name, allow([*value.decode().split(", "), *methods])["allow"].encode()

    def _direct(self, shortcut: DirectShortcut, path: str, exchange: Exchange) -> bool:
        if self._is_elsewhere(exchange.headers, path):
            return False
        exchange.on_answer = partial(self.metrics.count, path)
        return shortcut.direct(exchange, self._next_id())

    def _is_elsewhere(self, headers: Iterable[Header], path: str) -> bool:
        """Return whether the request's host name does not serve this path."""
        return self._hosts.are_apart and not self._hosts.serve(_host(headers), path)

    def _next_id(self) -> str:
        self._requests += 1
        return f"{self._process}-{self._requests:x}"

    async def _framework(self, scope: HTTPScope, receive: Receive, send: Send) -> int:
        start = self._clock.monotonic()
        status = 500
        path, method = scope["path"], scope["method"]

        async def send_named(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                id_header = (b"x-request-id", request_id_var.get().encode())
                headers = [self._with_shortcuts(path, header) for header in message["headers"]]
                message["headers"] = with_defaults([*headers, id_header, *public_headers(path, method)])
            await send(message)

        if path.startswith(self._as_sent):
            scope["path"] = scope["raw_path"].decode("latin-1")
        if scope["method"] == "HEAD":  # the ASGI server omits the body of the answer
            scope = cast("HTTPScope", {**scope, "method": "GET", ONLY_HEADERS: True})
        if await serve_while_waited_for(self._app, scope, receive, send_named):
            status = _CLIENT_LEFT
        milliseconds = round((self._clock.monotonic() - start) * 1000, 1)
        template = scope.get("path_template", path)  # without the actor key that the path may hold
        _log.info("request", extra={"method": scope["method"], "path": template, "status": status, "ms": milliseconds})
        return status


async def _refuse(error: TallyroomError, send: Send) -> int:
    return await send_answer(send, refusal(error, request_id_var.get()))


def _host(headers: Iterable[Header]) -> str:
    return next((value.decode("latin-1") for name, value in headers if name == b"host"), "")
