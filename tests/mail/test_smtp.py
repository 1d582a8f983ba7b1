"""A connection ends with the letter, whatever the mail server does then."""

import asyncio
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

from harness.stores.mail_posting import Posting

MakeMailer = Callable[[str], Posting]

ANSWERS = {
    b"EHLO": b"250 localhost\r\n",
    b"MAIL": b"250 yes\r\n",
    b"RCPT": b"250 yes\r\n",
    b"DATA": b"354 go on\r\n",
    b".\r\n": b"250 taken\r\n",
    b"QUIT": b"221 bye\r\n",
}


class SilentServer:
    """Takes one letter by TLS, says good-bye, and then neither ends its side of TLS nor closes the connection."""

    def __init__(self, certificate: ssl.SSLContext) -> None:
        self._certificate = certificate
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.was_left = threading.Event()

    @contextmanager
    def running(self) -> Iterator["SilentServer"]:
        thread = threading.Thread(target=self._serve)
        thread.start()
        with closing(self._listener):
            yield self
            thread.join()

    def _serve(self) -> None:
        plain, _ = self._listener.accept()
        plain.settimeout(10)
        with plain, plain.dup() as wire, self._certificate.wrap_socket(plain, server_side=True) as encrypted:
            self._talk(encrypted)
            wire.settimeout(10)
            try:
                while wire.recv(1024):
                    pass
            except ConnectionResetError:
                pass
            except TimeoutError:
                return
            self.was_left.set()

    def _talk(self, encrypted: ssl.SSLSocket) -> None:
        encrypted.sendall(b"220 localhost\r\n")
        lines = encrypted.makefile("rb")
        while True:
            line = lines.readline()
            if answer := ANSWERS.get(line[:4].upper() if line != b".\r\n" else line):
                encrypted.sendall(answer)
            if line[:4].upper() == b"QUIT":
                return


async def test_the_connection_does_not_wait_for_the_server_to_end_it(
    make_mailer: MakeMailer, certificate: ssl.SSLContext, trust: None
) -> None:
    """A server that leaves its side of TLS open kept the socket for half a minute."""
    with SilentServer(certificate).running() as server:
        mailer = make_mailer(f"smtps://127.0.0.1:{server.port}")
        await mailer.post("you@example.com", "s", "t")
        await mailer.close()
        assert await asyncio.to_thread(server.was_left.wait, 5)
