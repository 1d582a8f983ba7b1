"""statistics.feed.reading: an import that is refused names each row that is wrong."""

import pytest

from tallyroom.core.errors import ValidationFailed
from tallyroom.statistics.feed.reading import rows_of

BOT = "583807014896140293"
NOW_MS = 1_795_176_000_000


def test_every_wrong_row_is_named() -> None:
    rows = [
        {"id": BOT, "server_count": 1},
        {"id": "12"},
        {"id": BOT, "color": "red"},
        {"bot": BOT, "userId": "12"},
        {"id": BOT, "name": "n"},
    ]
    with pytest.raises(ValidationFailed) as refused:
        rows_of(rows, NOW_MS)
    assert [detail.path for detail in refused.value.details] == [
        ["rows", 1, "id"],
        ["rows", 2, "color"],
        ["rows", 3, "userId"],
    ]


def test_rows_that_are_right() -> None:
    [(profile, post, vote), (_, _, cast)] = rows_of(
        [{"id": BOT, "server_count": 1}, {"bot": BOT, "userId": BOT}], NOW_MS
    )
    assert (profile, post and post.counters, vote) == (None, {"server_count": 1}, None)
    assert cast
    assert cast.user_id == BOT
