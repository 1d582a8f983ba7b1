"""What a listing does not take is cut or left out, and what is left is taken."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallyroom.bots.statistics_api.feed.schemas import ProfileIn, StatsIn
from tallyroom.import_export.bots.fields import BOT_FIELDS, COUNTER_FIELDS
from tallyroom.import_export.bots.repair import BotRepairer
from tallyroom.import_export.row import RowRefused

ID = "583807014896140293"
NOW_MS = 1_795_176_000_000  # 2026-11-20T12:00:00Z


def repaired(**found: Any) -> dict[str, Any]:
    bot = BotRepairer(NOW_MS).repair_bot({"id": ID} | found)
    assert bot.pop("id") == ID
    return bot


@pytest.mark.parametrize(
    ("found", "left"),
    [
        ({"website": "example.com"}, {}),
        ({"website": "javascript:alert(1)"}, {}),
        ({"website": "https://example.com/a b"}, {}),
        ({"website": "https://example.com/" + "a" * 2000}, {}),
        ({"website": "https://example.com/a"}, {"website": "https://example.com/a"}),
        ({"avatar": None, "website": ""}, {"website": ""}),
        ({"name": "x" * 121}, {"name": "x" * 120}),
        ({"name": "  a\n\tb\u202ec\x00 "}, {"name": "a b c"}),
        ({"name": 7, "lib": ["a"], "prefix": {"a": 1}}, {"name": "7"}),
        ({"name": "👩‍💻 bot"}, {"name": "👩‍💻 bot"}),
        ({"short_desc": "y" * 501}, {"short_desc": "y" * 500}),
        ({"unlisted_reason": "z" * 281}, {"unlisted_reason": "z" * 280}),
        ({"server_count": -1, "review_count": 2**53, "total_votes": "many", "monthly_votes": True}, {}),
        ({"server_count": "12", "shard_count": 3.0}, {"server_count": 12, "shard_count": 3}),
        ({"avg_review_rating": 1001}, {}),
        ({"certified": "yes", "deleted": "perhaps"}, {"certified": True}),
        ({"owners": [int(ID), "12", None, {"id": ID}]}, {"owners": [ID]}),
        ({"owners": "nobody"}, {"owners": []}),
        ({"owners": {"id": ID}}, {}),
        ({"tags": ["a" * 200, "", "  ", 5]}, {"tags": ["a" * 120, "5"]}),
        ({"tags": [str(n) for n in range(150)]}, {"tags": [str(n) for n in range(100)]}),
        ({"approved_at": "0001-01-01T00:00:00Z"}, {}),
        ({"approved_at": "2999-01-01T00:00:00Z"}, {}),
        ({"approved_at": "soon"}, {}),
        ({"approved_at": ["2026"]}, {}),
        ({"approved_at": 1767322800}, {"approved_at": "2026-01-02T03:00:00.000Z"}),
        ({"color": "red"}, {}),
    ],
)
def test_what_is_left(found: dict[str, Any], left: dict[str, Any]) -> None:
    assert repaired(**found) == left


@pytest.mark.parametrize("bot_id", [None, "", "12", 12, "5838070148961402930000", ID + "\n", True, [ID], 5.8e17])
def test_an_id_that_is_none_is_no_bot(bot_id: Any) -> None:
    with pytest.raises(RowRefused, match=r"^id: .* is not 17 to 19 digits$"):
        BotRepairer(NOW_MS).repair_bot({"id": bot_id})
    with pytest.raises(RowRefused, match=r"^id: nothing is not"):
        BotRepairer(NOW_MS).repair_bot({})


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=3), inner, max_size=3)
    ),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(sorted(BOT_FIELDS.keys() - {"id"})), JSON))
def test_whatever_comes_a_listing_takes_what_is_left(found: dict[str, Any]) -> None:
    left = repaired(**found)
    msgspec.convert({name: value for name, value in left.items() if name in COUNTER_FIELDS}, StatsIn)
    msgspec.convert({name: value for name, value in left.items() if name not in COUNTER_FIELDS}, ProfileIn)
