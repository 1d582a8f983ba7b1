"""The real server on a scratch directory, with a workspace and a key."""

import json
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any, NamedTuple

from bench import load
from bench.process import Process, free_port

_PASSWORD = "a password for the bench"


class Account(NamedTuple):
    """Who asks: a workspace, a session of its owner, and a key for events."""

    workspace_id: str
    token: str
    key: str


class Product(Process):
    """`tallyroom serve`.

    Args:
        folder: its data directory.
        account: of an earlier start on the same directory; signs up without one.
        module: what to run instead of `tallyroom`, with the same arguments; maybe with one of its own before these.
        settings: environment variables.
    """

    def __init__(
        self,
        folder: Path,
        account: Account | None = None,
        module: str | list[str] = "tallyroom",
        **settings: str,
    ) -> None:
        port = free_port()
        defaults = {
            "TALLYROOM_INGEST_RATE_PER_MINUTE": "0",
            "TALLYROOM_LOG_LEVEL": "error",
            "TALLYROOM_DISK_RESERVE_BYTES": "1000000",
            "TALLYROOM_TESTING": "true",
        }
        module_arguments = [module] if isinstance(module, str) else module
        super().__init__(
            [*module_arguments, "serve", "--port", str(port), "--data", str(folder)], port, **(defaults | settings)
        )
        self.account = account or self._sign_up()

    def build_requests(self, bodies: list[bytes], events_per_body: int) -> list[load.Request]:
        """Bodies as requests of this server's key."""
        return [load.http_request(body, self.account.key, events_per_body) for body in bodies]

    def wait_until_drained(self, timeout_seconds: float = 120) -> float:
        """Wait until everything acknowledged is stored; returns the seconds that it took."""
        started = time.perf_counter()
        while self.read_metric("tallyroom_spool_waiting_bytes") > 0:
            if time.perf_counter() - started > timeout_seconds:
                raise SystemExit("the spool did not drain")
            time.sleep(0.02)
        return time.perf_counter() - started

    def post(self, path: str, body: object, token: str = "") -> tuple[Any, str]:
        """The answer to a POST by the account, or by `token`, and the session token that it brought."""
        bearer = token or self.account.token
        headers = {"content-type": "application/json", "authorization": f"Bearer {bearer}"}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read()), answer.headers.get("x-session-token", "")

    def _sign_up(self) -> Account:
        user = {"email": "bench@example.com", "password": _PASSWORD, "name": "Bench"}
        sign_up_answer, token = self.post("/v1/auth/signup", user, token="none")
        key, _ = self.post("/v1/keys", {"name": "bench", "environment": "production"}, token)
        return Account(sign_up_answer["workspace"]["id"], token, key["secret"])


def make_paid(folder: Path, account: Account) -> None:
    """Put the workspace on the paid plan."""
    command = [sys.executable, "-m", "tallyroom", "workspace", "set-plan", account.workspace_id, "paid"]
    subprocess.run([*command, "--data", str(folder)], stdout=subprocess.DEVNULL, check=True)
