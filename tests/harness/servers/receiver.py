"""A real web server that keeps what it receives, and answers as a test says."""

import json
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Received:
    """One request; the names of its headers are in lower case."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def parts(self) -> dict[str, bytes]:
        """The parts of a form, by name."""
        head = f"content-type: {self.headers['content-type']}\r\n\r\n".encode()
        form: Any = message_from_bytes(head + self.body, policy=HTTP)
        return {
            part.get_param("name", header="content-disposition"): part.get_payload(decode=True)
            for part in form.iter_parts()
        }


@dataclass
class Answer:
    """What the server answers to one request, once it may."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b"ok"
    may: threading.Event | None = None


class Receiver:
    """What arrived, and what to answer; 200 when nothing is left to say.

    Args:
        tls: the server's certificate; without one there is no TLS.
        host: the address on which it listens.
    """

    def __init__(self, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1") -> None:
        self.host = host
        self.requests: list[Received] = []
        self.answers: list[Answer] = []
        self.otherwise = Answer()
        self.most_at_once = 0
        self._at_once = 0
        self._tls = tls
        self._lock = threading.Lock()
        self.port = 0

    @property
    def url(self) -> str:
        return f"{'https' if self._tls else 'http'}://{self.host}:{self.port}"

    @contextmanager
    def running(self) -> Iterator["Receiver"]:
        """Serve for as long as the block lasts."""
        server = _Server((self.host, 0), self._handler(), bind_and_activate=True)
        if self._tls:
            server.socket = self._tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        self.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield self
        finally:
            for answer in (*self.answers, self.otherwise):
                if answer.may:
                    answer.may.set()
            server.shutdown()
            thread.join()
            server.server_close()

    def take(self, request: Received) -> Answer:
        """Keep a request; return what to answer, after it may be answered."""
        with self._lock:
            self.requests.append(request)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            answer = self.answers.pop(0) if self.answers else self.otherwise
        if answer.may:
            answer.may.wait(20)
        with self._lock:
            self._at_once -= 1
        return answer

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", "0")))
                headers = {name.lower(): value for name, value in self.headers.items()}
                answer = receiver.take(Received(self.path, headers, body))
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(answer.body)))
                self.end_headers()
                self.wfile.write(answer.body)

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        return Handler


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """A client that leaves early is no news."""
