"""An import that is refused names each row that is wrong."""

from typing import Any

import msgspec
import pytest

from tallyroom.bots.statistics_api.feed import reading
from tallyroom.bots.statistics_api.feed.reading import build_sdk_post, parse_import_rows, parse_rows
from tallyroom.bots.statistics_api.feed.schemas import SdkStatsIn
from tallyroom.core.errors import ValidationFailed

BOT = "583807014896140293"
NOW_MS = 1_795_176_000_000


def test_an_unknown_field_is_told_which_may_have_been_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first wrong rows alone; looking for it in thousands would take seconds."""
    looked: list[str] = []

    def did_you_mean(name: str, _: object) -> str:
        looked.append(name)
        return "; did you mean x?"

    monkeypatch.setattr(reading, "did_you_mean", did_you_mean)
    rows = [{"id": BOT, f"servers{at}": 1} for at in range(5000)]
    with pytest.raises(ValidationFailed) as refused:
        parse_rows(rows, NOW_MS)
    assert len(refused.value.details) == 5000
    assert looked == [f"servers{at}" for at in range(20)]
    assert refused.value.details[20].message == "is not a known field"


def test_a_row_takes_the_fields_of_profiles_and_counters() -> None:
    with pytest.raises(ValidationFailed) as refused:
        parse_rows([{"id": BOT, "servers": 1}, {"id": BOT, "short_dsc": ""}, {"bot": BOT, "userID": "1"}], NOW_MS)
    assert [(detail.path[2], detail.message) for detail in refused.value.details] == [
        ("servers", "is not a known field; did you mean server_count?"),
        ("short_dsc", "is not a known field; did you mean short_desc?"),
        ("id", "must be 17 to 19 digits, as a string"),
    ]


def test_every_wrong_row_is_named() -> None:
    rows: list[dict[str, Any]] = [
        {"id": BOT, "server_count": 1},
        {"id": "12"},
        {"id": BOT, "color": "red"},
        {"bot": BOT, "userId": "12"},
        {"id": BOT, "name": "n"},
    ]
    with pytest.raises(ValidationFailed) as refused:
        parse_rows(rows, NOW_MS)
    assert [detail.path for detail in refused.value.details] == [
        ["rows", 1, "id"],
        ["rows", 2, "color"],
        ["rows", 3, "userId"],
    ]


def test_rows_that_are_right() -> None:
    [(profile, post, vote), (_, _, cast)] = parse_rows(
        [{"id": BOT, "server_count": 1}, {"bot": BOT, "userId": BOT}], NOW_MS
    )
    assert (profile, post and post.counters, vote) == (None, {"server_count": 1}, None)
    assert cast
    assert cast.user_id == BOT


def test_a_moment_without_counters() -> None:
    """A row that names a bot makes it known, and its moment is checked like any other."""
    [(profile, post, vote)] = parse_rows([{"id": BOT, "timestamp": NOW_MS}], NOW_MS)
    assert (profile and profile.bot_id, post, vote) == (BOT, None, None)
    with pytest.raises(ValidationFailed) as refused:
        parse_rows([{"id": BOT, "name": "n", "timestamp": "soon"}], NOW_MS)
    assert [detail.path for detail in refused.value.details] == [["rows", 0, "timestamp"]]


@pytest.mark.parametrize(
    "body",
    [{"server_count": [2**53 - 1, 1]}, {"shards": [2**53 - 1] * 2000}, {"server_count": 2**40, "shard_id": 0}],
    ids=["two", "many", "one shard"],
)
def test_servers_that_are_no_counter_together(body: dict[str, Any]) -> None:
    with pytest.raises(ValidationFailed) as refused:
        build_sdk_post(BOT, msgspec.convert(body, SdkStatsIn), NOW_MS)
    assert refused.value.details[0].path == ["server_count"]


@pytest.mark.parametrize(
    ("body", "path", "message"),
    [
        (b'{"rows":[{"id":1},[]]}', ["rows", 1], "must be an object, not a list"),
        (
            b'{"rows":[{"a":[%b]}]}' % b",".join([b"[]"] * 50_000),
            ["rows", 0],
            "is 150007 bytes; the maximum for a row is 131072",
        ),
        (b'{"rows":[]}', ["rows"], "must have 1 or more entries"),
        (b'{"rows":[%b]}' % b",".join([b"0"] * 5001), ["rows"], "must have 5000 or fewer entries"),
        (b'{"rows":[{}],"more":1}', ["more"], "is not a known field"),
    ],
    ids=["no object", "a large row", "no row", "too many", "another field"],
)
def test_bodies_that_are_no_import(body: bytes, path: list[str | int], message: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        parse_import_rows(body, NOW_MS)
    [detail] = refused.value.details
    assert (detail.path, detail.message) == (path, message)


def test_the_rows_of_a_body() -> None:
    [(_, post, _)] = parse_import_rows(b'{"rows": [ {"id": "%b", "server_count": 7} ]}' % BOT.encode(), NOW_MS)
    assert post is not None
    assert (post.bot_id, post.counters) == (BOT, {"server_count": 7})
