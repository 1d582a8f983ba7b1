"""Sign up, make a key, send one event and read its actor back, on a server of its own that leaves nothing behind.

Run it with `make demo`.
"""
# ruff: noqa: INP001, S603, T201 - a script that prints what it does and starts this very package

import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx

START_SECONDS = 30
STOP_SECONDS = 30


@contextmanager
def scratch_server() -> Iterator[str]:
    """The address of a server that keeps its data in a scratch directory until the block ends."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("TALLYROOM_")}
    with tempfile.TemporaryDirectory(prefix="tallyroom-demo-") as data:
        settings = {"TALLYROOM_DATA": data, "TALLYROOM_PORT": str(port), "TALLYROOM_LOG_LEVEL": "warning"}
        command = [sys.executable, "-m", "tallyroom", "serve"]
        with subprocess.Popen(command, env=inherited | settings) as process:
            try:
                wait_until_ready(url, process)
                yield url
            finally:
                process.terminate()
                process.wait(STOP_SECONDS)


def wait_until_ready(url: str, process: "subprocess.Popen[bytes]") -> None:
    """Return when the server takes requests.

    Raises:
        SystemExit: it stopped, or it is not ready in time.
    """
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if httpx.get(f"{url}/readyz").is_success:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.05)
    raise SystemExit("the server did not start; its log is above")


def call(client: httpx.Client, method: str, path: str, body: object = None) -> httpx.Response:
    """Send one request, and show it with its answer.

    Raises:
        SystemExit: the server refused it.
    """
    answer = client.request(method, path, json=body)
    print(f"\n{method} {path}" + (f"  {json.dumps(body)}" if body else ""))
    print(f"  {answer.status_code}  " + json.dumps(shown(answer.json()), indent=2).replace("\n", "\n  "))
    if not answer.is_success:
        raise SystemExit("\nThe server refused this request; its log is above.")
    return answer


def shown(body: dict[str, object]) -> dict[str, object]:
    """`body` without the secret of a key."""
    return body | {"secret": str(body["secret"])[:12] + "..."} if "secret" in body else body


def sign_up(client: httpx.Client) -> str:
    """Make the first user and return the session token."""
    person = {"email": "you@example.com", "password": secrets.token_urlsafe(16), "name": "You"}
    answer = client.post("/v1/auth/signup", json=person)
    print(f"\nPOST /v1/auth/signup\n  {answer.status_code}")
    return answer.headers["x-session-token"]


def main() -> None:
    """Take one event from a sign-up to the list of actors."""
    with scratch_server() as url, httpx.Client(base_url=url) as client:
        print(f"A scratch server answers at {url}.")
        token = sign_up(client)

        client.cookies.clear()
        client.headers["authorization"] = f"Bearer {token}"
        key = call(client, "POST", "/v1/keys", {"name": "demo", "environment": "production"}).json()["secret"]

        client.headers["authorization"] = f"Bearer {key}"
        event = {
            "name": "order.placed",
            "_actor": "customer-17",
            "_actorLabel": "Customer 17",
            "properties": {"total": 42.5, "plan": "team"},
        }
        call(client, "POST", "/v1/events", event)
        call(client, "GET", "/v1/actors")
    print("\nThe server is stopped and its directory removed. `make run` starts one that stays.")


if __name__ == "__main__":
    main()
