"""nginx and Caddy in front of a server, configured as docs/howto/proxies.md says; only places and ports are others."""

import os
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import httpx
import pytest
import trustme

from harness.suite.patience import PATIENCE, wait_until

HOST: Final = "tally.example.com"
PAGE: Final = Path(__file__).parents[3] / "docs" / "howto" / "proxies.md"
CONFIGURATION: Final = dict(re.findall(r"```(nginx|caddy)\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL))

_NGINX: Final = """
daemon off; pid {folder}/pid; error_log stderr; {user}
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
    uwsgi_temp_path {folder}; scgi_temp_path {folder};
    {page}
}}
"""
_CADDY: Final = """
{{
    admin off
    auto_https disable_redirects
}}
{page}
"""


def program(name: str) -> str:
    """Where a program is; the test is skipped where it is missing."""
    path = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
    if path is None:
        reason = f"{name} is not installed"
        if os.environ.get("REQUIRE_PROXIES") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return path


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


class Proxy:
    """One of the two programs, which listens while the block of `running` goes on.

    Args:
        name: `nginx` or `caddy`.
        folder: for its files.
    """

    def __init__(self, name: str, folder: Path) -> None:
        self.port, self._plain_port = free_port(), free_port()
        self.url = f"https://{HOST}:{self.port}"
        self._name, self._folder, self._program = name, folder, program(name)
        authority = trustme.CA()
        self._trusted = ssl.create_default_context()
        authority.configure_trust(self._trusted)
        certificate = authority.issue_cert(HOST)
        certificate.cert_chain_pems[0].write_to_path(str(folder / "fullchain.pem"))
        certificate.private_key_pem.write_to_path(str(folder / "privkey.pem"))

    @contextmanager
    def running(self, *servers: str) -> Iterator[None]:
        """Pass requests on to servers, each given by its address and port."""
        (self._folder / "configuration").write_text(self._configuration(servers), "utf-8")
        home = {"HOME": str(self._folder), "XDG_DATA_HOME": str(self._folder), "PATH": os.environ["PATH"]}
        log = self._folder / "log"
        with ExitStack() as stack:
            output = stack.enter_context(log.open("wb"))  # nobody reads a pipe meanwhile, and a full one would stop it
            process = stack.enter_context(
                subprocess.Popen(self._command(), env=home, stdout=subprocess.DEVNULL, stderr=output)
            )
            stack.callback(process.terminate)
            wait_until(lambda: process.poll() is not None or self._listens())
            assert process.poll() is None, log.read_text("utf-8")
            yield

    def transport(self, local_address: str = "127.0.0.1") -> httpx.BaseTransport:
        """The way to the proxy, from an address of this machine."""
        return _Way(verify=self._trusted, local_address=local_address)

    def client(self, local_address: str = "127.0.0.1", **headers: str) -> httpx.Client:
        """A client of the proxy."""
        transport = self.transport(local_address)
        return httpx.Client(base_url=self.url, transport=transport, headers=headers, timeout=PATIENCE)

    def _command(self) -> list[str]:
        file = str(self._folder / "configuration")
        if self._name == "nginx":
            return [self._program, "-p", str(self._folder), "-c", file, "-e", "stderr"]
        return [self._program, "run", "--config", file, "--adapter", "caddyfile"]

    def _configuration(self, servers: Sequence[str]) -> str:
        page = CONFIGURATION[self._name]
        page = page.replace("server 127.0.0.1:8480;", "\n".join(f"server {server};" for server in servers))
        page = page.replace("127.0.0.1:8480", " ".join(servers))
        if self._name == "caddy":
            site = f"https://{HOST}:{self.port} {{\n    bind 127.0.0.1\n    tls fullchain.pem privkey.pem\n"
            site = site.replace(" fullchain", f" {self._folder}/fullchain").replace(" priv", f" {self._folder}/priv")
            return _CADDY.format(page=page.replace(f"{HOST} {{\n", site))
        page = page.replace("/etc/ssl/tally.example.com", str(self._folder))
        page = page.replace("listen 443", f"listen 127.0.0.1:{self.port}")
        page = page.replace("listen 80", f"listen 127.0.0.1:{self._plain_port}")
        return _NGINX.format(folder=self._folder, page=page, user="user root;" if os.geteuid() == 0 else "")

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


class _Way(httpx.HTTPTransport):
    """Connects to this machine, whatever the host."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        extensions = {**request.extensions, "sni_hostname": HOST}
        url = request.url.copy_with(host="127.0.0.1")
        return super().handle_request(
            httpx.Request(request.method, url, headers=request.headers, stream=request.stream, extensions=extensions)
        )
