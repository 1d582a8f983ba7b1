"""What a cell becomes, and that a listing knows the same fields."""

from typing import Any

import msgspec
import pytest
from msgspec import Raw

from tallyroom.bots.statistics_api.feed.schemas import ProfileIn, StatsIn, VoteIn
from tallyroom.import_export.bots.fields import BOT, COUNTERS, READ_ONLY, VOTE, CellReader, Kind
from tallyroom.import_export.row import RowRefused
from tallyroom.import_export.times import MomentReader


def test_the_fields_are_those_that_a_listing_takes() -> None:
    assert set(COUNTERS) == set(StatsIn.__struct_fields__) - {"timestamp"}
    assert set(BOT) | {"counter_source"} == {"id", *ProfileIn.__struct_fields__, *COUNTERS}
    assert "counter_source" in READ_ONLY  # answers have it even where nobody has chosen
    assert set(VOTE) == {"bot", *VoteIn.__struct_fields__} - {"timestamp"}


@pytest.mark.parametrize(
    ("kind", "cell", "value"),
    [
        (Kind.ID, "0583807014896140293", "0583807014896140293"),
        (Kind.ID, Raw(b"9223372036854775807"), "9223372036854775807"),
        (Kind.ID, Raw(b"9999999999999999999"), "9999999999999999999"),
        (Kind.ID, Raw(b"1.5"), 1.5),
        (Kind.ID, Raw(b"true"), True),
        (Kind.ID, "", None),
        (Kind.TITLE, "007", "007"),
        (Kind.TITLE, Raw(b"7"), "7"),
        (Kind.TITLE, Raw(b'""'), ""),
        (Kind.TITLE, Raw(b"null"), None),
        (Kind.FLAG, "TRUE", True),
        (Kind.FLAG, "no", False),
        (Kind.FLAG, Raw(b"0"), False),
        (Kind.FLAG, Raw(b"true"), True),
        (Kind.FLAG, "maybe", "maybe"),
        (Kind.FLAG, Raw(b"2"), 2),
        (Kind.FLAG, Raw(b"[]"), []),
        (Kind.COUNT, "12", 12),
        (Kind.COUNT, "12.0", 12),
        (Kind.COUNT, "12.5", "12.5"),
        (Kind.COUNT, "-1", -1),
        (Kind.COUNT, "1e3", "1e3"),
        (Kind.COUNT, "١", "١"),
        (Kind.COUNT, "9" * 5000, "9" * 5000),
        (Kind.COUNT, Raw(b"12.0"), 12),
        (Kind.COUNT, Raw(b'"12"'), 12),
        (Kind.RATING, "4.5", 4.5),
        (Kind.RATING, "nan", "nan"),
        (Kind.RATING, Raw(b"4.5"), 4.5),
        (Kind.IDS, "1;2 ; 3;", ["1", "2", "3"]),
        (Kind.IDS, '[583807014896140293,"2"]', ["583807014896140293", "2"]),
        (Kind.IDS, "[1", "[1"),
        (Kind.IDS, Raw(b'["1",2]'), ["1", "2"]),
        (Kind.IDS, Raw(b"[]"), []),
        (Kind.IDS, Raw(b'{"a":1}'), {"a": 1}),
        (Kind.TITLES, "Music", ["Music"]),
        (Kind.MOMENT, "2026-01-02", "2026-01-02T00:00:00"),
        (Kind.MOMENT, Raw(b"1767322800"), "2026-01-02T03:00:00.000Z"),
        (Kind.MOMENT, Raw(b"null"), None),
    ],
)  # fmt: skip # one case a line
def test_what_a_cell_becomes(kind: Kind, cell: Any, value: Any) -> None:
    found = CellReader(MomentReader("auto", None)).read(kind, cell)
    assert found == value
    assert type(found) is type(value)
    msgspec.json.encode(found)


def test_a_time_that_is_none() -> None:
    with pytest.raises(RowRefused, match="is not an ISO 8601 date-time"):
        CellReader(MomentReader("auto", None)).read(Kind.MOMENT, "noon")
