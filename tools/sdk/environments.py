"""Installs the client into a clean environment of a Python, and sends one event from there."""

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

_VERSIONS = tuple(f"3.{minor}" for minor in range(10, 16))
_PROGRAM = """if True:
    import sys
    from tallyroom_client import Tallyroom
    import tallyroom_client.logging, tallyroom_client.testing
    client = Tallyroom()
    assert client.track("sdk.tried", properties={"python": sys.version.split()[0]})
    assert client.close(timeout=60)
"""


def list_pythons() -> list[str]:
    """Return the interpreters of this machine that the client supports, the oldest first."""
    names = [path for version in _VERSIONS if (path := shutil.which(f"python{version}"))]
    return [
        name for name in names if subprocess.run([name, "-c", ""], capture_output=True, check=False).returncode == 0
    ]


def try_wheel(wheel: Path, python: str, folder: Path) -> str:
    """Return the version of the Python whose event arrived; raises `subprocess.CalledProcessError` or `IndexError`."""
    environment = folder / "environment"
    uv = str(Path(sys.executable).with_name("uv"))
    subprocess.run([uv, "venv", "--quiet", "--python", python, str(environment)], check=True)
    interpreter = str(environment / "bin" / "python")
    install = ["pip", "install", "--quiet", "--offline", "--no-deps", "--python", interpreter, str(wheel)]
    subprocess.run([uv, *install], check=True)
    with _listening() as (url, bodies):
        settings = {"TALLYROOM_URL": url, "TALLYROOM_KEY": "k", "TALLYROOM_QUEUE": str(folder / "queue")}
        variables = {"PATH": os.environ["PATH"]} | settings
        subprocess.run([interpreter, "-I", "-W", "error", "-c", _PROGRAM], env=variables, cwd=folder, check=True)
    (event,) = json.loads(bodies[0])["events"]
    return str(event["properties"]["python"])


@contextmanager
def _listening() -> Iterator[tuple[str, list[bytes]]]:
    """Yield the address of a server that accepts everything, and the bodies that it receives."""
    bodies: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            bodies.append(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(202)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 # the name of the base class
            """Write no log."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", bodies
    finally:
        server.shutdown()
        server.server_close()
