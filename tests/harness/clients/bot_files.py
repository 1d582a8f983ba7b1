"""Files of bots, points and votes, what a listing tells of them, and `tallyroom bots` as a person runs it."""

import json
import os
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from harness.clients.workspace import Workspace
from harness.servers.command import call_bytes
from harness.suite.patience import PATIENCE

BOTS = ("583807014896140293", "432610292342587392", "646937666251915264")
HOUR_MS = 3_600_000
_APART_MS = 12 * HOUR_MS - 60_000


class Feeder(NamedTuple):
    """A workspace and its token that feeds."""

    workspace: Workspace
    token: str

    def ask(self, path: str, **params: Any) -> Any:
        """What the listing answers."""
        with self.workspace.client(self.token) as client:
            answer = client.get(f"/chat/{path}", params=params)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def words(self, *arguments: object) -> tuple[list[str], dict[str, str]]:
        """The words of `tallyroom bots`, and the environment that holds address and token."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TALLYROOM_")}
        environment |= {"TALLYROOM_URL": self.workspace.url, "TALLYROOM_STATS_TOKEN": self.token}
        return [sys.executable, "-m", "tallyroom", "bots", *map(str, arguments)], environment

    def run_here(
        self, *arguments: object, given: bytes = b"", exits: int = 0, **settings: str
    ) -> "subprocess.CompletedProcess[bytes]":
        """Run it in this process; not for Parquet."""
        words = [str(argument) for argument in arguments]
        settings = {"url": self.workspace.url, "stats_token": self.token} | settings
        done = call_bytes("bots", *words, given=given, **settings)
        return self.checked(done, exits)

    def run(self, *arguments: object, exits: int = 0) -> "subprocess.CompletedProcess[bytes]":
        """Run it in a process of its own."""
        words, environment = self.words(*arguments)
        done = subprocess.run(words, env=environment, capture_output=True, timeout=PATIENCE, check=False)
        return self.checked(done, exits)

    def checked(self, done: "subprocess.CompletedProcess[bytes]", exits: int) -> "subprocess.CompletedProcess[bytes]":
        assert done.returncode == exits, f"exit {done.returncode}\n{done.stdout.decode()}\n{done.stderr.decode()}"
        assert b"Traceback" not in done.stderr
        assert self.token.encode() not in done.stdout + done.stderr
        return done


def feeder(workspace: Workspace) -> Feeder:
    """The workspace with a new token that feeds."""
    return Feeder(workspace, workspace.make_stats_token("write")[0])


def ndjson(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write rows as a file."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def points(hours: int) -> list[dict[str, Any]]:
    """Historical points of each bot, one an hour up to the last whole hour, newest first as an answer lists them."""
    now = int(time.time() * 1000) // HOUR_MS * HOUR_MS
    return [
        {"time": iso(now - ago * HOUR_MS), "id": bot, "server_count": (hours - ago) * 10 + place, "review_count": ago}
        for ago in range(1, hours + 1)
        for place, bot in enumerate(BOTS)
    ]


def votes(users: int, each: int) -> list[dict[str, Any]]:
    """Votes of each user for each bot, twelve hours apart, every third repeated ten minutes later."""
    now = int(time.time() * 1000) // HOUR_MS * HOUR_MS
    moments = [
        now - (each - turn) * 12 * HOUR_MS + late
        for turn in range(each)
        for late in (0, 600_000)[: 1 + (turn % 3 == 0)]
    ]
    return [
        {"bot": bot, "userId": user_id(user), "timestamp": at + user}
        for at in moments
        for bot in BOTS
        for user in range(users)
    ]


def user_id(user: int) -> str:
    return str(205_680_187_394_752_512 + user)


def iso(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def check(fed: Feeder, rows: list[dict[str, Any]]) -> None:
    """Fails unless the listing is exactly what these points and votes amount to."""
    total = _check_leaderboards(fed, [row for row in rows if "userId" in row])
    newest = _check_points(fed, [row for row in rows if "time" in row])
    told = {bot["id"]: bot for bot in fed.ask("rankings/bots")["data"]}
    assert {bot: entry["total_votes"] for bot, entry in told.items()} == {bot: total[bot] for bot in told}
    assert {bot: entry["server_count"] for bot, entry in told.items()} == {bot: newest[bot] for bot in told}
    ranked = sorted(newest, key=lambda bot: (-newest[bot], int(bot)))
    assert sorted(told, key=lambda bot: told[bot]["server_count_rank"]) == ranked


def _check_leaderboards(fed: Feeder, cast: list[dict[str, Any]]) -> Counter[str]:
    """Votes that count by bot."""
    counted: dict[tuple[str, str], list[int]] = defaultdict(list)
    for vote in cast:
        before = counted[vote["bot"], vote["userId"]]
        if all(abs(vote["timestamp"] - other) >= _APART_MS for other in before):
            before.append(vote["timestamp"])
    for bot in BOTS:
        expected = {
            user: (len(times), sum(_weight(at) for at in times), iso(max(times)))
            for (of, user), times in counted.items()
            if of == bot
        }
        entries = fed.ask(f"bots/{bot}/leaderboard", limit=500)["data"]["leaderboard"]
        found = {
            entry["userId"]: (entry["voteCount"], entry["totalVotesByWeight"], entry["lastVote"]) for entry in entries
        }
        assert found == expected
    return Counter(bot for (bot, _), times in counted.items() for _ in times)


def _check_points(fed: Feeder, file: list[dict[str, Any]]) -> dict[str, int]:
    """The newest servers by bot."""
    newest = {}
    for bot in BOTS:
        for metric in ("server_count", "review_count"):
            sent = {row["time"]: row[metric] for row in file if row["id"] == bot}
            found = fed.ask(f"bots/{bot}/historical", type=metric, timeFrame="30d")["data"]
            last = max(sent)
            held = {point["time"]: point[metric] for point in found if point["time"] <= last}
            wrong = {at: (held.get(at), sent.get(at)) for at in held | sent if held.get(at) != sent.get(at)}
            assert not wrong, f"{metric} of {bot}: {len(wrong)} wrong, such as {list(wrong.items())[:5]}"
            assert {point[metric] for point in found if point["time"] > last} <= {sent[last]}
            if metric == "server_count":
                newest[bot] = sent[last]
    return newest


def _weight(at_ms: int) -> int:
    return 2 if datetime.fromtimestamp(at_ms / 1000, UTC).weekday() >= 5 else 1


def wait_until(true: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Return as soon as it is true."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, f"not within {seconds} s"
        time.sleep(0.02)


def answers(url: str) -> bool:
    """Whether a server is alive."""
    try:
        return httpx.get(f"{url}/healthz", timeout=0.5, verify=False).status_code == 200
    except httpx.HTTPError:
        return False
