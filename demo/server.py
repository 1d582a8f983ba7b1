"""A server of its own that leaves nothing behind, with a user and a key on it."""

import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import httpx

START_TIMEOUT_SECONDS = 120
STOP_TIMEOUT_SECONDS = 120


class Owner(NamedTuple):
    """Who may look."""

    email: str
    password: str
    key: str
    session: str


@contextmanager
def scratch_server(data_dir: Path) -> Iterator[str]:
    """The address of a server that keeps its data in `data_dir`, until the block ends."""
    with socket.create_server(("127.0.0.1", 0)) as free_socket:
        port = free_socket.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    settings = {"TALLYROOM_DATA": str(data_dir), "TALLYROOM_PORT": str(port), "TALLYROOM_LOG_LEVEL": "warning"}
    with subprocess.Popen(
        [sys.executable, "-m", "tallyroom", "serve"], env=build_clean_environment() | settings
    ) as process:
        try:
            wait_until_ready(url, process)
            yield url
        finally:
            process.terminate()
            process.wait(STOP_TIMEOUT_SECONDS)


def build_clean_environment() -> dict[str, str]:
    """The environment without anybody's settings of a server."""
    return {name: value for name, value in os.environ.items() if not name.startswith("TALLYROOM_")}


def wait_until_ready(url: str, process: "subprocess.Popen[bytes]") -> None:
    """Return when the server takes requests.

    Raises:
        SystemExit: it stopped, or it is not ready in time.
    """
    deadline = time.monotonic() + START_TIMEOUT_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if httpx.get(f"{url}/readyz").is_success:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.05)
    raise SystemExit("The server did not start; its log is above.")


def sign_up(url: str) -> Owner:
    """Make the first user, and a key."""
    email, password = "demo@example.com", secrets.token_urlsafe(12)
    user = {"email": email, "password": password, "name": "Demo", "workspaceName": "Flights"}
    answer = httpx.post(f"{url}/v1/auth/signup", json=user).raise_for_status()
    session = answer.headers["x-session-token"]
    return Owner(email, password, make_key(url, session, "production"), session)


def make_key(url: str, session: str, environment: str) -> str:
    """Make a key of an environment; returns its secret."""
    body = {"name": "demo", "environment": environment}
    answer = httpx.post(f"{url}/v1/keys", json=body, headers={"authorization": f"Bearer {session}"})
    return str(answer.raise_for_status().json()["secret"])


def sign_in_path(url: str, owner: Owner, page: str) -> str:
    """The path of a link that signs a browser in as the owner, once, within ten minutes, and shows it a page.

    Without the web app, there is only the page at `/`, to which the link leads by itself.
    """
    answer = httpx.post(f"{url}/v1/auth/links", headers={"authorization": f"Bearer {owner.session}"})
    path = str(urlsplit(answer.raise_for_status().json()["url"]).path)
    has_app = httpx.get(url + page, headers={"accept": "text/html"}).is_success
    return f"{path}?next={page}" if has_app else path


def import_events(url: str, owner: Owner, file: Path) -> None:
    """Import a file the way that anybody would.

    Raises:
        SystemExit: not every row was taken.
    """
    environment = build_clean_environment() | {"TALLYROOM_URL": url, "TALLYROOM_KEY": owner.key}
    command = [sys.executable, "-m", "tallyroom", "import", "events", str(file)]
    if subprocess.run(command, env=environment, check=False).returncode:
        raise SystemExit("The import failed; it says why above.")
    while "\ntallyroom_spool_waiting_bytes 0.0" not in httpx.get(f"{url}/metrics").text:
        time.sleep(0.1)  # the last events are on their way from the spool to the event store
