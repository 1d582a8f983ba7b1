"""A small HTTP server that answers what a test tells it to, and remembers what it was asked."""

import gzip
import json
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from typing import Any, NamedTuple, Self


class ReceivedRequest(NamedTuple):
    """One request; header names in lower case, the body inflated."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def events(self) -> list[Any]:
        """The events of a batch."""
        found: list[Any] = json.loads(self.body)["events"]
        return found


class ScriptedAnswer(NamedTuple):
    """One answer; status 0 hangs up without any."""

    status: int
    body: bytes = b"{}"
    headers: Mapping[str, str] = MappingProxyType({})


def refusal(status: int, error: str, *details: tuple[list[str | int], str], **headers: str) -> ScriptedAnswer:
    """An answer in the service's one error shape."""
    listed = [{"path": path, "message": message} for path, message in details]
    body = {"code": status, "error": error, "message": f"said {error}", "details": listed, "requestId": "r"}
    return ScriptedAnswer(
        status, json.dumps(body).encode(), {name.replace("_", "-"): value for name, value in headers.items()}
    )


class ScriptedServer:
    """Listens on a free port.

    Args:
        answer: what to say to a request; called by one thread at a time.
    """

    def __init__(self, answer: Callable[[ReceivedRequest], ScriptedAnswer]) -> None:
        self.asked: list[ReceivedRequest] = []
        self._answer = answer
        self._lock = threading.Lock()
        script = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1  # head and body in one packet: two of them take 40 ms

            def do_POST(self) -> None:
                script._serve(self)

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

    def _serve(self, request: BaseHTTPRequestHandler) -> None:
        body = request.rfile.read(int(request.headers.get("content-length", "0")))
        if request.headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        headers = {name.lower(): value for name, value in request.headers.items()}
        with self._lock:
            asked = ReceivedRequest(request.path, headers, body)
            self.asked.append(asked)
            told = self._answer(asked)
        if not told.status:
            request.close_connection = True
            return
        request.send_response(told.status)
        for name, value in {"content-type": "application/json", **told.headers}.items():
            request.send_header(name, value)
        request.send_header("content-length", str(len(told.body)))
        request.end_headers()
        request.wfile.write(told.body)
