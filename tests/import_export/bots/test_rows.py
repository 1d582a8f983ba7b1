"""The row that a listing takes, of the row of a file."""

import json
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from tallyroom.import_export.bots.rows import BotColumns, BotRowBuilder, check_header
from tallyroom.import_export.mapping import ColumnUnknown
from tallyroom.import_export.row import FileRow, RowRefused
from tallyroom.import_export.times import TimestampReader

ID = "583807014896140293"
USER = "205680187394752512"
NOON = "2026-11-20T12:00:00.000Z"


def made(row: dict[str, Any], mapping: BotColumns = BotColumns()) -> Any:  # noqa: B008 # frozen
    line = json.dumps(row).encode()
    maker = BotRowBuilder(mapping, TimestampReader("auto", None), NOON)
    return json.loads(maker.build_item(FileRow(1, msgspec.json.decode(line, type=dict[str, Raw]), line)))


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"id": ID, "name": "A"}, {"id": ID, "name": "A"}),
        ({"id": int(ID), "server_count": 1}, {"id": ID, "server_count": 1, "timestamp": NOON}),
        ({"id": ID, "time": "2026-01-02T03:00:00Z", "total_votes": 1}, {"id": ID, "total_votes": 1, "timestamp": "2026-01-02T03:00:00Z"}),
        ({"userId": int(USER), "bot": ID, "id": 17}, {"bot": ID, "userId": USER, "id": "17", "timestamp": NOON}),
        ({"userId": USER, "bot": ID, "isWeekend": "true", "timestamp": 1767322800}, {"bot": ID, "userId": USER, "isWeekend": True, "timestamp": "2026-01-02T03:00:00.000Z"}),
        ({"id": ID, "topGGId": ID, "monthly_votes_rank": 1, "total_votes_rank_change": 1, "server_count_change": 2, "monthly_votes_change_perc": 0.1, "percentage_changes": {"daily": 1, "monthly": 2}}, {"id": ID}),
        ({"id": ID, "color": {"a": 1}}, {"id": ID, "color": {"a": 1}}),
        ({"id": ID, "website": None, "userId": None}, {"id": ID}),
    ],
)  # fmt: skip # one case a line
def test_a_row(row: dict[str, Any], expected: dict[str, Any]) -> None:
    assert made(row) == expected


def test_other_columns() -> None:
    mapping = BotColumns({"id": "bot.key", "name": "label", "server_count": "stats.servers"}, ("color",))
    row = {"bot": {"key": int(ID)}, "id": 7, "label": "A", "stats": {"servers": 5, "x": 1}, "color": "red", "lib": "l"}
    assert made(row, mapping) == {"id": ID, "name": "A", "server_count": 5, "lib": "l", "timestamp": NOON}


@pytest.mark.parametrize("name", ["voteCount", "totalVotesByWeight", "streakCount"])
def test_an_entry_of_a_leaderboard_is_no_vote(name: str) -> None:
    with pytest.raises(RowRefused, match="leaderboard"):
        made({"userId": USER, name: 3})


def test_text_that_is_no_utf8() -> None:
    cells = {"id": ID, "name": "\udcff"}
    with pytest.raises(RowRefused, match="not UTF-8"):
        BotRowBuilder(BotColumns(), TimestampReader("auto", None), NOON).build_item(FileRow(1, cells, cells))


@pytest.mark.parametrize(
    ("mapping", "header", "words"),
    [
        (BotColumns(), ("name",), "no column id"),
        (BotColumns(), ("userId",), "no column id"),
        (BotColumns(), ("id", "color"), "no field color: add --map FIELD=color or --ignore color"),
        (BotColumns({"id": "bot_id"}), ("id",), "no column bot_id"),
        (BotColumns({}, ("id",)), ("id", "name"), "no column id"),
    ],
)
def test_a_header_that_is_wrong(mapping: BotColumns, header: tuple[str, ...], words: str) -> None:
    with pytest.raises(ColumnUnknown, match=words):
        check_header(mapping, header)


def test_a_header_that_is_right() -> None:
    check_header(BotColumns(), ("id", "topGGId", "unix_timestamp"))
    check_header(BotColumns(), ("bot", "userId"))
    check_header(BotColumns({"id": "k", "name": "j.a"}, ("c",)), ("k", "c", "j"))
