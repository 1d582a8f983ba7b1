"""A fresh workspace on a real server: what a user has after signing up."""

import itertools
import uuid
from dataclasses import dataclass, field
from typing import Any

import httpx

from harness.clients.cookies import cookie_of

JSON = "application/json"
PASSWORD = "a long enough password"

_addresses = itertools.count(1)


def fresh_ip() -> str:
    """An address that no other test uses; the server believes it in X-Forwarded-For."""
    number = next(_addresses)
    return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


@dataclass
class Workspace:
    """Credentials of one owner and the clients that use them; `cookie` is the name of the server's session cookie."""

    url: str
    email: str
    session_token: str
    workspace_id: str
    key: str = ""
    key_id: str = ""
    ip: str = field(default_factory=fresh_ip)
    cookie: str = ""

    def client(self, token: str | None = None) -> httpx.Client:
        """An HTTP client with a bearer token: the session's when none is given."""
        headers = {"authorization": f"Bearer {token or self.session_token}", "x-forwarded-for": self.ip}
        # Plain HTTP; without `verify=False` each client would spend 20 ms on reading certificates.
        return httpx.Client(base_url=self.url, headers=headers, timeout=30, verify=False)

    def make_key(self, environment: str = "production", kind: str = "secret") -> tuple[str, str]:
        """(secret, id) of a new key; an earlier version knows no kinds."""
        body = {"name": "test", "environment": environment} | ({} if kind == "secret" else {"kind": kind})
        with self.client() as client:
            made = client.post("/v1/keys", json=body)
        assert made.status_code == 201, made.text
        return made.json()["secret"], made.json()["id"]

    def make_stats_token(self, scope: str = "read", bot_id: str | None = None) -> tuple[str, str]:
        """(secret, id) of a new token of the Statistics API."""
        bot = {} if bot_id is None else {"botId": bot_id}
        with self.client() as client:
            made = client.post("/v1/stats-tokens", json={"name": "test", "scope": scope} | bot)
        assert made.status_code == 201, made.text
        return made.json()["secret"], made.json()["id"]

    def make_token(self, *scopes: str, session: str | None = None, **fields: Any) -> tuple[str, str]:
        """(secret, id) of a new personal access token, of the owner or of another member by their session."""
        with self.client(session) as client:
            made = client.post("/v1/tokens", json={"name": "test", "scopes": scopes} | fields)
        assert made.status_code == 201, made.text
        return made.json()["secret"], made.json()["id"]

    def send(self, body: Any, *, key: str | None = None, headers: dict[str, str] | None = None) -> httpx.Response:
        """POST /v1/events with JSON (or bytes as they are)."""
        content = {"content": body} if isinstance(body, bytes) else {"json": body}
        with self.client(key or self.key) as client:
            return client.post("/v1/events", headers={"content-type": JSON} | (headers or {}), **content)

    def get(self, path: str, *, token: str | None = None, **params: Any) -> httpx.Response:
        """GET with the session, or another token."""
        with self.client(token) as client:
            return client.get(path, params=params)


def sign_up(url: str, **names: str) -> Workspace:
    """A new user with a workspace and a production key; `name` and `workspaceName` may be given."""
    email = f"{uuid.uuid4().hex}@example.com"
    body = {"email": email, "password": PASSWORD, "name": "Owner"} | names
    ip = fresh_ip()
    headers = {"x-forwarded-for": ip}
    answer = httpx.post(f"{url}/v1/auth/signup", json=body, headers=headers, timeout=30, verify=False)
    assert answer.status_code == 201, answer.text
    made = Workspace(url, email, answer.headers["x-session-token"], answer.json()["workspace"]["id"], ip=ip)
    made.cookie = cookie_of(answer)
    made.key, made.key_id = made.make_key()
    return made
