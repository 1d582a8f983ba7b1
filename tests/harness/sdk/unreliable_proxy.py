"""A small proxy between a client and a server that loses answers, cuts connections and refuses at random."""

import http.client
import threading
from collections import Counter
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from typing import Final, Self

PASS: Final = "pass"
CUT_BEFORE: Final = "cut before the server"
LOSE_ANSWER: Final = "lose the answer"
BUSY: Final = "503"
CONFLICT: Final = "409"
FAULTS: Final = (CUT_BEFORE, LOSE_ANSWER, BUSY, CONFLICT)

_END_TO_END = {"content-type", "content-encoding", "authorization", "idempotency-key", "idempotency-queue"}
_ANSWERED = ("Content-Type", "Retry-After", "Idempotent-Replayed", "Idempotency-Window")


class UnreliableProxy:
    """Listens on a free port and passes requests on to a server that may be away.

    Args:
        port: of the server.
        seed: of its faults.
        share: how many of all requests get a fault.
    """

    def __init__(self, port: int, *, seed: int, share: float = 0.3) -> None:
        self.share = share
        self.counts: Counter[str] = Counter()
        self._port = port
        self._chance = Random(seed)
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1

            def do_POST(self) -> None:
                proxy._serve(self)

            do_GET = do_POST  # noqa: N815 # the name of the base class

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 # the name of the base class
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        """Scheme, host and port."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    def _choose(self) -> str:
        faults: Sequence[str] = FAULTS
        fault = self._chance.choice(faults) if self._chance.random() < self.share else PASS
        self.counts[fault] += 1
        return fault

    def _serve(self, request: BaseHTTPRequestHandler) -> None:
        body = request.rfile.read(int(request.headers.get("content-length", "0")))
        fault = self._choose()
        if fault == CUT_BEFORE:
            request.close_connection = True
        elif fault in {BUSY, CONFLICT}:
            _answer(request, int(fault), b"{}", {})
        else:
            self._pass_on(request, body, is_answered=fault == PASS)

    def _pass_on(self, request: BaseHTTPRequestHandler, body: bytes, *, is_answered: bool) -> None:
        request.close_connection = True
        headers = {name: value for name, value in request.headers.items() if name.lower() in _END_TO_END}
        server = http.client.HTTPConnection("127.0.0.1", self._port, timeout=30)
        try:
            server.request(request.command, request.path, body, headers)
            response = server.getresponse()
            content = response.read()
        except (OSError, http.client.HTTPException):
            return
        finally:
            server.close()
        if is_answered:
            shown = {name: value for name in _ANSWERED if (value := response.getheader(name))}
            request.close_connection = False
            _answer(request, response.status, content, shown)


def _answer(request: BaseHTTPRequestHandler, status: int, content: bytes, headers: dict[str, str]) -> None:
    try:
        request.send_response(status)
        for name, value in headers.items():
            request.send_header(name, value)
        request.send_header("Content-Length", str(len(content)))
        request.end_headers()
        request.wfile.write(content)
    except OSError:  # the client was killed
        request.close_connection = True
