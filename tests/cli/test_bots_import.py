"""`tallyroom bots import`: files of every kind, types, names of columns, and what is refused."""

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

from harness.clients.bot_files import BOTS, Feeder, check, feeder, ndjson, points, user_id, votes
from harness.clients.import_command import numbers, one_sentence
from harness.clients.workspace import Workspace, sign_up
from harness.servers.child import run_child
from harness.servers.scripted_server import ScriptedAnswer, ScriptedServer
from harness.servers.server import Server

BOT = "583807014896140293"
OWNERS = ["205680187394752512", "1205680187394752513"]
TABLE = (
    "\ufeffbot_id,when,servers,owners,tags,certified,name,note\r\n"
    f'{BOT},2026-01-02T03:04:05Z,12,"{OWNERS[0]}; {OWNERS[1]}",Music;Fun,yes,"Ann ""A"", bot",x\r\n'
    f'0{BOT},2026-01-02,7.0,"[""{OWNERS[0]}""]",,0,007,\r\n'
    f"{BOT},1767322800,,,,,,\r\n"
)
COLUMNS = ("--map", "id=bot_id", "--map", "timestamp=when", "--map", "server_count=servers", "--ignore", "note")


@pytest.fixture
def fed(workspace: Workspace) -> Feeder:
    return feeder(workspace)


@pytest.fixture(scope="module")
def anybody(server: Server) -> Feeder:
    """For imports that send nothing, or nothing that counts."""
    return feeder(sign_up(server.url))


@pytest.mark.long
def test_points_and_votes_as_the_file_has_them(fed: Feeder, tmp_path: Path) -> None:
    rows = points(50) + votes(users=5, each=8)
    path = ndjson(tmp_path / "bots.ndjson", rows)
    repeated = sum("userId" in row for row in rows) - 5 * 8 * len(BOTS)
    assert numbers(fed.run("import", path)) == (len(rows), len(rows) - repeated, repeated, 0)
    check(fed, rows)
    again = numbers(fed.run_here("import", path))
    assert again == (len(rows), 0, len(rows), 0)
    check(fed, rows)


def test_votes_with_ids_count_once_however_often_they_come(fed: Feeder, tmp_path: Path) -> None:
    """By their id alone, also when they are of one moment."""
    moment = "2026-01-02T03:04:05Z"
    rows = [{"bot": BOT, "userId": user_id(1), "id": f"v{number}", "timestamp": moment} for number in (3, 1, 2, 1)]
    path = ndjson(tmp_path / "votes.ndjson", rows)
    assert numbers(fed.run_here("import", path)) == (4, 3, 1, 0)
    assert numbers(fed.run_here("import", path)) == (4, 0, 4, 0)
    assert fed.ask(f"bots/{BOT}/leaderboard")["data"]["leaderboard"][0]["voteCount"] == 3


@pytest.mark.long
@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "-"])
def test_csv_cells_become_the_right_types(fed: Feeder, tmp_path: Path, name: str) -> None:
    content = TABLE.encode()
    file = "-" if name == "-" else tmp_path / name
    if isinstance(file, Path):
        file.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    done = fed.run_here("import", file, *COLUMNS, "--format", "csv", given=content if name == "-" else b"")
    assert (numbers(done), done.stderr) == ((3, 3, 0, 0), b"")
    first, second = fed.ask(f"bots/{BOT}"), fed.ask(f"bots/0{BOT}")
    assert (first["owners"], first["tags"], first["certified"]) == (OWNERS, ["Music", "Fun"], True)
    assert (first["name"], first["server_count"]) == ('Ann "A", bot', 12)
    assert (second["name"], second["owners"], second["server_count"], second["certified"]) == (
        "007",
        OWNERS[:1],
        7,
        False,
    )
    point = fed.ask(f"bots/{BOT}/historical", type="server_count", timeFrame="alltime")["data"][-1]
    assert point == {"time": "2026-01-02T00:00:00.000Z", "id": BOT, "server_count": 12}


WRITE_PARQUET = """
    import chdb, sys
    connection = chdb.connect(":memory:")
    connection.query(
        f"INSERT INTO FUNCTION file('{sys.argv[1]}', 'Parquet') SELECT toInt64(583807014896140293 + number) AS id,"
        " toDateTime64('2026-01-02 03:04:05', 3, 'UTC') AS time, toFloat64(number) AS server_count,"
        " [toUInt64(205680187394752512)] AS owners, ['a', 'b'] AS tags, number % 2 = 0 AS certified,"
        " NULL::Nullable(String) AS website, 4.5 AS avg_review_rating FROM numbers(30)"
    )
    connection.close()
"""


@pytest.mark.long
def test_parquet_with_ids_that_are_numbers(fed: Feeder, tmp_path: Path) -> None:
    path = tmp_path / "bots.parquet"
    run_child(WRITE_PARQUET, path)
    assert numbers(fed.run("import", path)) == (30, 30, 0, 0)
    told = fed.ask(f"bots/{int(BOT) + 7}")
    assert (told["server_count"], told["owners"], told["tags"], told["certified"]) == (7, OWNERS[:1], ["a", "b"], False)
    assert told["avg_review_rating"] == 4.5


@pytest.mark.long
def test_what_a_listing_answers_goes_into_another_as_it_is(fed: Feeder, server: Server, tmp_path: Path) -> None:
    profile: dict[str, Any] = {
        "id": BOT,
        "name": "Bot",
        "tags": ["a"],
        "owners": OWNERS,
        "approved_at": "2020-01-02T03:04:05.000Z",
    }
    profile |= {"avatar": "https://list.example/a.png", "short_desc": "Does\nthings", "avg_review_rating": 4.5}
    counters = {"server_count": 5, "monthly_votes": 6, "total_votes": 70, "review_count": 3}
    at = "2026-05-06T07:08:09.000Z"
    fed.run_here("import", "-", "--format", "ndjson", given=json.dumps(profile | counters | {"timestamp": at}).encode())
    record, ranked = fed.ask(f"bots/{BOT}"), fed.ask("rankings/bots")["data"][0]
    old = fed.ask(f"bots/{BOT}/historical", type="total_votes", timeFrame="alltime")["data"]
    other = feeder(sign_up(server.url))
    assert numbers(other.run_here("import", ndjson(tmp_path / "b.ndjson", [record, ranked, *old]))) == (
        2 + len(old),
        2 + len(old),
        0,
        0,
    )
    copied = other.ask(f"bots/{BOT}")
    varying = {"timestamp", "unix_timestamp"}
    assert {name: copied[name] for name in copied.keys() - varying} == {
        name: record[name] for name in record.keys() - varying
    }
    assert other.ask(f"bots/{BOT}/historical", type="total_votes", timeFrame="alltime")["data"][-1] == old[-1]


@pytest.mark.long
@pytest.mark.parametrize(
    "time",
    [
        {"time": "2026-01-02T03:00:00Z"},
        {"unix_timestamp": "1767322800000"},
        {"timestamp": 1767322800},
        {"timestamp": "", "time": 1767322800000},
    ],
)
def test_a_moment_has_several_names(fed: Feeder, time: dict[str, Any]) -> None:
    row = json.dumps({"id": BOT, "server_count": 3} | time).encode()
    fed.run_here("import", "-", "--format", "ndjson", given=row)
    assert fed.ask(f"bots/{BOT}")["approved_at"] == "2026-01-02T03:00:00.000Z"


@pytest.mark.long
def test_rows_without_a_moment_are_of_the_files_last_change(fed: Feeder, tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{"id": BOT, "server_count": 3}, {"bot": BOT, "userId": user_id(1)}]
    path = ndjson(tmp_path / "bots.ndjson", rows)
    os.utime(path, (1767322800, 1767322800))
    assert numbers(fed.run_here("import", path)) == (2, 2, 0, 0)
    assert numbers(fed.run_here("import", path)) == (2, 0, 2, 0)
    assert fed.ask(f"bots/{BOT}")["approved_at"] == "2026-01-02T03:00:00.000Z"
    assert fed.ask(f"bots/{BOT}/leaderboard")["data"]["leaderboard"][0]["lastVote"] == "2026-01-02T03:00:00.000Z"
    fed.run_here("import", path, "--at", "2025-01-01")
    assert fed.ask(f"bots/{BOT}")["approved_at"] == "2025-01-01T00:00:00.000Z"


BAD_LINES = {
    2: ('{"id":"123","server_count":1}', "id: must be 17 to 19 digits, as a string"),
    3: ("no json", "the line is not JSON"),
    5: (json.dumps({"id": BOT, "color": "red"}), "color: is not a known field"),
    6: (json.dumps({"id": BOT, "server_count": "many"}), "server_count: must be an integer, not a string"),
    7: (json.dumps({"id": BOT, "timestamp": "yesterday", "server_count": 1}), "timestamp: 'yesterday' is not an ISO"),
    8: (json.dumps({"bot": BOT, "userId": 12}), "userId: "),
    9: (json.dumps({"position": "1", "userId": user_id(1), "voteCount": 3}), "the row is a leaderboard entry"),
    10: (
        json.dumps({"id": BOT, "server_count": 1, "time": "2009-12-31T00:00:00Z"}),
        "timestamp: must be between 2010 and now",
    ),
}


def test_bad_rows_are_taken_out_and_told(fed: Feeder, tmp_path: Path) -> None:
    lines = [json.dumps(row) for row in points(20)]
    for line, (bad, _) in BAD_LINES.items():
        lines.insert(line - 1, bad)
    (tmp_path / "bots.ndjson").write_text("\n".join(lines))
    done = fed.run_here("import", tmp_path / "bots.ndjson", "--refused", tmp_path / "refused.ndjson", exits=1)
    assert numbers(done) == (60 + len(BAD_LINES), 60, 0, len(BAD_LINES))
    for line, (_, reason) in BAD_LINES.items():
        assert f"line {line}: {reason}" in done.stderr.decode()
    refused = [json.loads(line) for line in (tmp_path / "refused.ndjson").read_text().splitlines()]
    assert [row["line"] for row in refused] == list(BAD_LINES)
    check(fed, points(20))


def test_all_bad_rows_of_a_request_are_named_at_once(tmp_path: Path) -> None:
    """Two requests: one that names them, one without them."""
    bad = ScriptedAnswer(
        400,
        json.dumps(
            {"error": "e", "details": [{"path": ["rows", at, "id"], "message": "is bad"} for at in range(40)]}
        ).encode(),
    )
    answers = iter([bad, ScriptedAnswer(200, b'{"bots":20,"votes":0,"repeated":0}')])
    path = ndjson(tmp_path / "bots.ndjson", points(20))
    with ScriptedServer(lambda _: next(answers)) as scripted:
        fed = Feeder(Workspace(scripted.url, "", "", ""), "tr_stats_x")
        assert numbers(fed.run_here("import", path, "--platform", "slack", exits=1)) == (60, 20, 0, 40)
    assert [asked.path for asked in scripted.asked] == ["/slack/import"] * 2
    assert "idempotency-key" not in scripted.asked[0].headers
    assert scripted.asked[0].headers["authorization"] == "Bearer tr_stats_x"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("t.csv",),
            "A listing has no field bot_id, when, servers, note: add --map FIELD=bot_id or --ignore bot_id.",
        ),
        (("t.csv", *COLUMNS[2:], "--ignore", "bot_id"), "its rows do not name their bots"),
        (("t.csv", "--map", "id=nosuch"), "The file has no column nosuch"),
        (("t.csv", "--map", "id"), "--map id does not have the form FIELD=COLUMN."),
        (("t.csv", "--map", "color=note"), "a listing has no such field; it has approved_at, "),
        (("t.csv", *COLUMNS, "--timezone", "Berlin"), "--timezone Berlin is not an IANA time zone"),
        (("t.csv", *COLUMNS, "--at", "noon"), "--at noon is not a valid time"),
        (("t.csv", *COLUMNS, "--platform", "a/b"), "--platform a/b is not a valid platform name"),
        (("t.csv", *COLUMNS, "--refused", "t.csv"), "--refused cannot name the file"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    anybody: Feeder, tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    (tmp_path / "t.csv").write_bytes(TABLE.encode())
    placed = [str(tmp_path / each) if each == "t.csv" else each for each in arguments]
    done = anybody.run_here("import", *placed, exits=1)
    one_sentence(done, words)
    assert done.stdout == b""


def test_another_delimiter_is_asked_for(anybody: Feeder, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(f"id;servers\n{BOT};1\n")
    done = anybody.run_here("import", tmp_path / "t.csv", "--preview", 1, exits=1)
    one_sentence(done, "If ; separates the cells, add --delimiter ';'.")


def test_a_preview_sends_nothing(anybody: Feeder, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(TABLE.encode())
    done = anybody.run_here("import", tmp_path / "t.csv", *COLUMNS, "--preview", 1)
    [line] = done.stdout.decode().splitlines()
    assert json.loads(line)["id"] == BOT
    assert anybody.ask("rankings/bots")["totalBotCount"] == 0


def test_tokens_that_may_not_feed(anybody: Feeder, tmp_path: Path) -> None:
    path = ndjson(tmp_path / "bots.ndjson", points(1))
    read = Feeder(anybody.workspace, anybody.workspace.make_stats_token("read")[0])
    one_sentence(read.run_here("import", path, exits=1), "responded with 403")
    one_bot = Feeder(anybody.workspace, anybody.workspace.make_stats_token("bot", BOT)[0])
    one_sentence(one_bot.run_here("import", path, exits=1), "An import requires a token with the write scope.")
    none = Feeder(anybody.workspace, anybody.token[:-1] + "!")
    one_sentence(none.run_here("import", path, exits=1), "does not accept this stats token (401)")
    missing = anybody.run_here("import", path, exits=1, stats_token="")
    one_sentence(missing, "No usable stats token: set TALLYROOM_STATS_TOKEN, or pass --token.")
