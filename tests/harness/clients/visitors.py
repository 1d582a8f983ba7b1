"""People who keep asking, signing in and changing things, whatever happens, and count what they were answered."""

import itertools
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import httpx

from harness.clients.ledger import Ledger
from harness.clients.load import BROKEN
from harness.clients.member import add_member
from harness.clients.workspace import PASSWORD, Workspace
from harness.suite.patience import PATIENCE, wait_until

_PAUSE_SECONDS = 0.2
_numbers = itertools.count()
_PATIENCE = httpx.Timeout(60, connect=3)  # a host that is cut off takes no connection

ASK, SIGN_IN, CHANGE, REVOKE = "ask", "sign in", "change", "revoke"

WELL = {ASK: 200, SIGN_IN: 200, CHANGE: 200, REVOKE: 204}
"""What each thing is answered when all is well."""


class Visitors:
    """A thread for each thing that people do; each request comes on a connection of its own.

    Args:
        workspace: whose they are.
        ledger: of the events that are sent with keys which are then revoked.
        url: the server that they ask; that of the workspace if "".
        everywhere: the servers at which a key is used before and after it is revoked; only that one if there are none.

    Attributes:
        statuses: for each thing that is done, how often it was answered so.
        late: the statuses of events that were sent after the answer that their key is revoked.
    """

    def __init__(self, workspace: Workspace, ledger: Ledger, url: str = "", everywhere: Sequence[str] = ()) -> None:
        self.statuses: dict[str, Counter[int]] = {}
        self.late: Counter[int] = Counter()
        self._workspace = workspace
        self._ledger = ledger
        self._member = add_member(workspace, "viewer")  # whose newest sessions end the oldest
        self._url = url or workspace.url
        self._everywhere = list(everywhere) or [self._url]
        self._stop = threading.Event()
        self._may_do = threading.Event()
        self._may_do.set()
        self._busy: Counter[str] = Counter()
        self._failures: list[str] = []
        self._threads = []
        for what, do in {ASK: self._ask, SIGN_IN: self._sign_in, CHANGE: self._change, REVOKE: self._revoke}.items():
            self.statuses[what] = Counter()
            self._threads.append(threading.Thread(target=self._again_and_again, args=(what, do), daemon=True))

    def start(self) -> "Visitors":
        """Begin."""
        for thread in self._threads:
            thread.start()
        return self

    def rest(self) -> None:
        """Return when nobody does anything, until `go_on`."""
        self._may_do.clear()
        wait_until(lambda: self._failures or not any(self._busy.values()))

    def go_on(self) -> None:
        """End the rest."""
        self._may_do.set()

    def finish(self) -> None:
        """End, and check that no answer was a fault of the server, and that what was revoked stayed revoked."""
        self._stop.set()
        self._may_do.set()
        for thread in self._threads:
            thread.join(PATIENCE)
        assert not any(thread.is_alive() for thread in self._threads), "somebody never got an answer"
        assert not self._failures, self._failures
        assert set(self.late) <= {401, 503, BROKEN}, f"after the answer that the key is revoked: {self.late}"

    def are_refused(self) -> None:
        """Return when each thing was answered 503 by a request that begins from now on."""
        self.are_answered(dict.fromkeys(WELL, 503))

    def are_well(self) -> None:
        """Return when each thing was done by a request that begins from now on."""
        self.are_answered(WELL)

    def are_answered(self, answers: Mapping[str, int]) -> None:
        """Return when each of these things was answered so by a request that begins from now on."""
        goals = {what: self.statuses[what][status] + 2 for what, status in answers.items()}  # one may have begun before
        deadline = time.monotonic() + PATIENCE
        while any(self.statuses[what][answers[what]] < goal for what, goal in goals.items()):
            assert not self._failures, self._failures
            assert time.monotonic() < deadline, f"not all were answered {answers}: {self.statuses}"
            time.sleep(0.01)

    def _again_and_again(self, what: str, do: Callable[[], None]) -> None:
        try:
            while self._may_do.wait() and not self._stop.is_set():
                self._busy[what] = 1
                if self._may_do.is_set():
                    do()
                self._busy[what] = 0
                time.sleep(_PAUSE_SECONDS)
        except Exception as error:  # noqa: BLE001 # the test reports it
            self._failures.append(repr(error))

    def _ask(self) -> None:
        config = {"event": "view", "measure": "count"}
        question = {"environment": "production", "timeRange": "1h", "type": "metric", "config": config}
        self._count(ASK, self._request("POST", "/v1/query", question), {200, 503})

    def _sign_in(self) -> None:
        login = {"email": self._member.email, "password": PASSWORD}
        self._count(SIGN_IN, self._request("POST", "/v1/auth/login", login, token=None), {200, 503})

    def _change(self) -> None:
        names = {"name": f"Name {next(_numbers)}"}
        self._count(CHANGE, self._request("PATCH", "/v1/workspace", names), {200, 503})

    def _revoke(self) -> None:
        """Make a key, use it at each server, revoke it, and use it once more at each."""
        made = self._request("POST", "/v1/keys", {"name": "short", "environment": "production"})
        if self._count(REVOKE, made, {201, 503}) != 201:
            return
        key = made.json()
        for url in self._everywhere:
            self._send(url, key["secret"])
        while self._count(REVOKE, self._request("DELETE", f"/v1/keys/{key['id']}"), {204, 503}) != 204:
            time.sleep(_PAUSE_SECONDS)
            if self._stop.is_set():
                return
        for url in self._everywhere * 2:
            self.late[self._send(url, key["secret"])] += 1

    def _send(self, url: str, key: str) -> int:
        actor = f"visitor-{next(_numbers)}"
        self._ledger.send([actor])
        answer = self._request("POST", "/v1/events", {"name": "view", "_actor": actor}, url=url, token=key)
        status = BROKEN if answer is None else answer.status_code
        if status == 202:
            self._ledger.ack([actor])
        return status

    def _count(self, what: str, answer: httpx.Response | None, allowed: set[int]) -> int:
        status = BROKEN if answer is None else answer.status_code
        self.statuses[what][status] += 1
        if answer is not None and status not in allowed:
            raise AssertionError(f"{what}: {status} {answer.text[:500]}")
        return status

    def _request(self, method: str, path: str, body: Any = None, *, url: str = "", token: str | None = "") -> Any:
        """The answer; None if it never came."""
        # A sign-in would end the session that it comes with.
        headers = {} if token is None else {"authorization": f"Bearer {token or self._workspace.session_token}"}
        try:
            with httpx.Client(base_url=url or self._url, timeout=_PATIENCE, verify=False, trust_env=False) as client:
                return client.request(method, path, json=body, headers=headers)
        except httpx.TransportError:
            return None
