"""What a cell becomes, and that a listing knows the same fields."""

from typing import Any

import msgspec
import pytest
from msgspec import Raw

from tallyroom.bots.statistics_api.feed.schemas import ProfileIn, StatsIn, VoteIn
from tallyroom.import_export.bots.fields import (
    BOT_FIELDS,
    COUNTER_FIELDS,
    READ_ONLY_FIELDS,
    VOTE_FIELDS,
    CellReader,
    FieldKind,
)
from tallyroom.import_export.row import RowRefused
from tallyroom.import_export.times import TimestampReader


def test_the_fields_are_those_that_a_listing_takes() -> None:
    assert set(COUNTER_FIELDS) == set(StatsIn.__struct_fields__) - {"timestamp"}
    assert set(BOT_FIELDS) | {"counter_source"} == {"id", *ProfileIn.__struct_fields__, *COUNTER_FIELDS}
    assert "counter_source" in READ_ONLY_FIELDS  # answers have it even where nobody has chosen
    assert set(VOTE_FIELDS) == {"bot", *VoteIn.__struct_fields__} - {"timestamp"}


@pytest.mark.parametrize(
    ("kind", "cell", "value"),
    [
        (FieldKind.ID, "0583807014896140293", "0583807014896140293"),
        (FieldKind.ID, Raw(b"9223372036854775807"), "9223372036854775807"),
        (FieldKind.ID, Raw(b"9999999999999999999"), "9999999999999999999"),
        (FieldKind.ID, Raw(b"1.5"), 1.5),
        (FieldKind.ID, Raw(b"true"), True),
        (FieldKind.ID, "", None),
        (FieldKind.TITLE, "007", "007"),
        (FieldKind.TITLE, Raw(b"7"), "7"),
        (FieldKind.TITLE, Raw(b'""'), ""),
        (FieldKind.TITLE, Raw(b"null"), None),
        (FieldKind.FLAG, "TRUE", True),
        (FieldKind.FLAG, "no", False),
        (FieldKind.FLAG, Raw(b"0"), False),
        (FieldKind.FLAG, Raw(b"true"), True),
        (FieldKind.FLAG, "maybe", "maybe"),
        (FieldKind.FLAG, Raw(b"2"), 2),
        (FieldKind.FLAG, Raw(b"[]"), []),
        (FieldKind.COUNT, "12", 12),
        (FieldKind.COUNT, "12.0", 12),
        (FieldKind.COUNT, "12.5", "12.5"),
        (FieldKind.COUNT, "-1", -1),
        (FieldKind.COUNT, "1e3", "1e3"),
        (FieldKind.COUNT, "١", "١"),
        (FieldKind.COUNT, "9" * 5000, "9" * 5000),
        (FieldKind.COUNT, Raw(b"12.0"), 12),
        (FieldKind.COUNT, Raw(b'"12"'), 12),
        (FieldKind.RATING, "4.5", 4.5),
        (FieldKind.RATING, "nan", "nan"),
        (FieldKind.RATING, Raw(b"4.5"), 4.5),
        (FieldKind.IDS, "1;2 ; 3;", ["1", "2", "3"]),
        (FieldKind.IDS, '[583807014896140293,"2"]', ["583807014896140293", "2"]),
        (FieldKind.IDS, "[1", "[1"),
        (FieldKind.IDS, Raw(b'["1",2]'), ["1", "2"]),
        (FieldKind.IDS, Raw(b"[]"), []),
        (FieldKind.IDS, Raw(b'{"a":1}'), {"a": 1}),
        (FieldKind.TITLES, "Music", ["Music"]),
        (FieldKind.TIMESTAMP, "2026-01-02", "2026-01-02T00:00:00"),
        (FieldKind.TIMESTAMP, Raw(b"1767322800"), "2026-01-02T03:00:00.000Z"),
        (FieldKind.TIMESTAMP, Raw(b"null"), None),
    ],
)  # fmt: skip # one case a line
def test_what_a_cell_becomes(kind: FieldKind, cell: Any, value: Any) -> None:
    found = CellReader(TimestampReader("auto", None)).read_cell(kind, cell)
    assert found == value
    assert type(found) is type(value)
    msgspec.json.encode(found)


def test_a_time_that_is_none() -> None:
    with pytest.raises(RowRefused, match="is not an ISO 8601 date-time"):
        CellReader(TimestampReader("auto", None)).read_cell(FieldKind.TIMESTAMP, "noon")
