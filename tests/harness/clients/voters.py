"""Votes that go to a real server while it is killed or copied, and what it knows of them afterwards."""

import threading
import time
from pathlib import Path
from typing import Any, Self

import httpx

from harness.clients.workspace import Workspace
from harness.servers.server import Server
from harness.suite.patience import PATIENCE

BOT = "583807014896140293"
FIRST_USER = 205_680_187_394_752_512


class Voters:
    """Users who vote one after the other, each until they are told that their vote is taken.

    Args:
        server: may be killed and started again meanwhile.
        token: a token of the scope write.
    """

    def __init__(self, server: Server, token: str) -> None:
        self._server = server
        self._headers = {"authorization": token}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.taken = 0
        self.odd: list[str] = []

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        assert self.odd == []

    def wait_for(self, votes: int, seconds: float = PATIENCE) -> None:
        """Return when so many votes are taken."""
        deadline = time.monotonic() + seconds
        while self.taken < votes:
            assert time.monotonic() < deadline, f"only {self.taken} votes were taken"
            time.sleep(0.01)

    def _run(self) -> None:
        with httpx.Client(headers=self._headers, timeout=10, verify=False) as client:
            while not self._stop.is_set():
                try:
                    answer = client.post(
                        f"{self._server.url}/chat/bots/{BOT}/votes", json={"userId": str(FIRST_USER + self.taken)}
                    )
                except httpx.HTTPError:
                    time.sleep(0.02)
                    continue
                if answer.status_code == 200:
                    self.taken += 1
                elif answer.status_code != 503:
                    self.odd.append(answer.text)
                    return


def votes_known(url: str, token: str) -> dict[str, int]:
    """What each place that counts votes says: the profile, the leaderboard, its entries, and the event store."""
    with httpx.Client(base_url=url, headers={"authorization": token}, timeout=30, verify=False) as client:

        def get(path: str) -> httpx.Response:
            answer = client.get(f"/chat/bots/{BOT}{path}")
            assert answer.status_code == 200, answer.text
            return answer

        board = get("/leaderboard?limit=1").json()["data"]
        entries = [
            entry
            for offset in range(0, board["total"], 500)
            for entry in get(f"/leaderboard?limit=500&offset={offset}").json()["data"]["leaderboard"]
        ]
        history = get("/historical?type=total_votes&timeFrame=alltime").json()["data"]
        return {
            "profile": get("").json()["total_votes"],
            "voters": board["total"],
            "entries": sum(entry["voteCount"] for entry in entries),
            "event store": history[0]["total_votes"],
        }


def feeding_token(workspace: Workspace) -> str:
    """A token that may feed every bot; the one of `Voters` is known."""
    token, _ = workspace.make_stats_token("write")
    with workspace.client(token) as client:
        assert client.put(f"/chat/bots/{BOT}", json={"name": "Bot"}).is_success
    return token


def fresh_server(folder: Path, **settings: Any) -> Server:
    """A server that takes any number of calls."""
    return Server(folder, stats_rate_per_minute="0", **settings).start()
