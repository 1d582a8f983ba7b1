"""`tallyroom bots collect`: a real source is pulled, and a real server fed."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from harness.clients.bot_files import Feeder, feeder
from harness.clients.workspace import Workspace, sign_up
from harness.servers.scripted_server import ReceivedRequest, ScriptedAnswer, ScriptedServer
from harness.servers.server import Server

FIRST_ID = 583_807_014_896_140_293
SECRET = "source-secret-1"
MAPPED = (
    "--items",
    "data.results",
    "--field",
    "id=clientid",
    "--field",
    "name=username",
    "--field",
    "server_count=stats.servers",
)
PAGED = ("--page-parameter", "offset", "--page-size-parameter", "limit", "--page-size", "100")


class Listing:
    """Another listing, with an API of its own kind.

    Attributes:
        fails: answers to give before its own.
    """

    def __init__(self, count: int) -> None:
        self.bots: list[dict[str, Any]] = [
            {
                "clientid": FIRST_ID + number,
                "username": f"Bot {number}",
                "stats": {"servers": number},
                "website": "no address",
            }
            for number in range(count)
        ]
        self.fails: list[ScriptedAnswer] = []
        self.more = 0

    def answer(self, asked: ReceivedRequest) -> ScriptedAnswer:
        url = urlsplit(asked.path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        if asked.headers.get("x-api-key") != SECRET:
            return ScriptedAnswer(401)
        if self.fails:
            return self.fails.pop(0)
        start = int(query.get("offset", 0))
        page = self.bots[start : start + int(query.get("limit", 1000))]
        return ScriptedAnswer(200, json.dumps({"data": {"results": page}}).encode())


@pytest.fixture
def fed(workspace: Workspace) -> Feeder:
    return feeder(workspace)


@pytest.fixture
def other() -> Iterator[tuple[Listing, ScriptedServer]]:
    listing = Listing(250)
    with ScriptedServer(listing.answer) as server:
        yield listing, server


def collect(fed: Feeder, server: ScriptedServer, *more: str, exits: int = 0) -> "subprocess.CompletedProcess[bytes]":
    words = ("--source", f"{server.url}/api/bots", "--source-header", "x-api-key", *MAPPED, *PAGED, *more)
    done = fed.run_here("collect", *words, exits=exits, collect_source_token=SECRET)
    assert SECRET.encode() not in done.stdout + done.stderr
    return done


@pytest.mark.long
def test_a_list_is_pulled_page_by_page(fed: Feeder, other: tuple[Listing, ScriptedServer]) -> None:
    listing, server = other
    listing.bots[7]["clientid"] = "seven"
    listing.bots[8] |= {"username": "x" * 500, "stats": None}
    done = collect(fed, server)
    assert done.stdout.decode().split(" ", 1)[1] == "249 bots fed, 1 left out.\n"
    assert done.stderr.decode() == "bot 8: id: 'seven' is not 17 to 19 digits\n"
    assert len(server.asked) == 4
    assert fed.ask("rankings/bots")["totalBotCount"] == 249
    record = fed.ask(f"bots/{FIRST_ID + 20}")
    assert (record["name"], record["server_count"], record["website"]) == ("Bot 20", 20, "")
    assert fed.ask(f"bots/{FIRST_ID + 8}")["name"] == "x" * 120
    moments = {fed.ask(f"bots/{FIRST_ID + at}")["approved_at"] for at in (0, 100, 249)}
    assert moments == {done.stdout.decode().split(" ")[0]}


@pytest.mark.long
def test_a_source_that_is_busy(fed: Feeder, other: tuple[Listing, ScriptedServer]) -> None:
    listing, server = other
    listing.fails = [ScriptedAnswer(429, headers={"retry-after": "0"}), ScriptedAnswer(503), ScriptedAnswer(0)]
    assert b" 250 bots fed, 0 left out." in collect(fed, server).stdout
    assert len(server.asked) == 7


def test_a_pull_that_breaks_off_feeds_whole_pages_and_says_so(
    fed: Feeder, other: tuple[Listing, ScriptedServer]
) -> None:
    listing, server = other
    listing.bots[150]["username"] = ["no", "text", 5]
    done = collect(fed, server, "--field", "lib=join(',', username || `[]`)", exits=1)
    assert b" 0 bots fed, 0 left out." in done.stdout
    done = collect(fed, server, "--field", "lib=username[0] && join(',', username)", exits=1)
    assert b" 100 bots fed, 0 left out." in done.stdout
    assert done.stderr.decode().endswith(" The pull was interrupted; its complete pages were fed.\n")
    assert fed.ask("rankings/bots")["totalBotCount"] == 100


def test_single_bots_of_a_server_like_this_one(
    fed: Feeder, other: tuple[Listing, ScriptedServer], server: Server
) -> None:
    collect(fed, other[1], "--most", "3")
    third = feeder(sign_up(server.url))
    ids = f"{FIRST_ID}, {FIRST_ID + 2},{FIRST_ID + 9}"
    done = third.run_here(
        "collect", "--source", f"{server.url}/chat/bots/{{id}}", "--source-token", fed.token, "--ids", ids
    )
    assert b" 2 bots fed, 1 left out." in done.stdout
    assert third.ask(f"bots/{FIRST_ID + 2}")["name"] == "Bot 2"


def test_everything_may_stand_in_the_environment(fed: Feeder, other: tuple[Listing, ScriptedServer]) -> None:
    settings: dict[str, Any] = {
        "collect_source": f"{other[1].url}/api/bots",
        "collect_source_token": SECRET,
        "collect_source_header": "x-api-key",
        "collect_items": "data.results",
        "collect_fields": "id=clientid server_count=stats.servers",
        "collect_most": "5",
    }
    assert b" 5 bots fed, 0 left out." in fed.run_here("collect", **settings).stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--source", "list.example"), "list.example is not the address of a source"),
        (("--source", "http://a/{id}"), "--ids requires a --source with {id} in it"),
        (("--source", "http://a/", "--field", "a"), "--field a does not have the form FIELD=EXPRESSION."),
        (("--source", "http://a/", "--field", "color=a"), "--field color=…: a bot has no such field"),
        (("--source", "http://a/", "--items", "a["), "--items a[ is not a JMESPath expression"),
        (("--source", "http://a/", "--every", "soon"), "soon is not a valid duration"),
        (("--source", "http://a/", "--token", ""), "No usable stats token"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(server: Server, arguments: tuple[str, ...], words: str) -> None:
    nobody = Feeder(Workspace(server.url, "", "", ""), "tr_stats_x")
    done = nobody.run_here("collect", *arguments, exits=1)
    assert words in done.stderr.decode()
    assert len(done.stderr.decode().splitlines()) == 1


@pytest.mark.long
def test_a_failed_pull_never_stops_the_schedule(fed: Feeder, other: tuple[Listing, ScriptedServer]) -> None:
    listing, source = other
    listing.fails = [ScriptedAnswer(401)]
    with scheduled(fed, source) as said:
        assert "responded with 401. The pull was interrupted" in heard(said, "401")
        heard(said, " 250 bots fed")


@pytest.mark.long
def test_a_server_that_is_away_never_stops_the_schedule(other: tuple[Listing, ScriptedServer], tmp_path: Path) -> None:
    own = Server(tmp_path / "data", open_signup="true").start()
    try:
        with scheduled(feeder(sign_up(own.url)), other[1]) as said:
            heard(said, " 250 bots fed")
            own.kill()
            heard(said, "does not respond")
            own.start()
            heard(said, " 250 bots fed")
    finally:
        own.kill()


@contextmanager
def scheduled(fed: Feeder, source: ScriptedServer) -> Iterator[Iterator[str]]:
    """What a collector says that pulls every second and waits for nobody."""
    options = ("--source", f"{source.url}/api/bots", *MAPPED, "--every", "1s", "--patience", "0")
    words, environment = fed.words("collect", *options)
    environment |= {"TALLYROOM_COLLECT_SOURCE_TOKEN": SECRET, "TALLYROOM_COLLECT_SOURCE_HEADER": "x-api-key"}
    pipe = subprocess.PIPE
    with subprocess.Popen(words, env=environment, stdout=pipe, stderr=subprocess.STDOUT, text=True) as running:
        assert running.stdout
        yield iter(running.stdout.readline, "")
        running.terminate()
        assert running.wait(10) == -15


def heard(said: Iterator[str], words: str) -> str:
    """The next line with these words."""
    return next(line for line in said if words in line)
