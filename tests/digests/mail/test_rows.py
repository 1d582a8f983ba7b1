"""Which parts of a mail are beside each other (rules/digests#email)."""

from collections.abc import Sequence
from random import Random

import pytest

from tallyroom.dashboards.mail.contents import BigNumber, MailContent, MailNote, MailTable, WidgetPart
from tallyroom.digests.mail.rows import GAP_WIDTH, MAIL_WIDTH, is_lone_number, place_parts, split_evenly

NUMBER, NOTE = BigNumber("", "1", None), MailNote("x")
WIDE_TABLE = MailTable(("a", "b", "c", "d"), [], (False,) * 4)
CONTENT_BY_LETTER: dict[str, list[MailContent]] = {"n": [NUMBER], "x": [NOTE], "t": [WIDE_TABLE], "k": [NUMBER, NUMBER]}


def parts_of(*cards: str) -> list[WidgetPart]:
    """Parts with the letter of their content and the columns that they have on the dashboard."""
    return [WidgetPart(card, CONTENT_BY_LETTER[card[0]], int(card[1:])) for card in cards]


def shape(parts: Sequence[WidgetPart]) -> list[list[tuple[str, int]]]:
    return [[(placed.part.title, placed.width) for placed in row] for row in place_parts(parts)]


@pytest.mark.parametrize(
    ("cards", "rows"),
    [
        (["x12"], [[("x12", 640)]]),
        (["x6"], [[("x6", 640)]]),
        (["x6", "x6"], [[("x6", 314), ("x6", 314)]]),
        (["x9", "x6"], [[("x9", 640)], [("x6", 640)]]),
        (["x4", "x4", "x4"], [[("x4", 314), ("x4", 314)], [("x4", 640)]]),
        (["n4", "n4", "n4"], [[("n4", 205), ("n4", 205), ("n4", 205)]]),
        (["n3"] * 4, [[("n3", 314)] * 2] * 2),
        (["n2"] * 5, [[("n2", 205)] * 3, [("n2", 314)] * 2]),
        (["n2"] * 6, [[("n2", 205)] * 3] * 2),
        (["n4", "x8"], [[("n4", 205), ("x8", 422)]]),
        (["x8", "n4"], [[("x8", 422), ("n4", 205)]]),
        (["n3", "n3", "x6"], [[("n3", 314), ("n3", 314)], [("x6", 640)]]),
        (["t6", "x6"], [[("t6", 640)], [("x6", 640)]]),
        (["n4", "t8"], [[("n4", 640)], [("t8", 640)]]),
        (["k6", "x6"], [[("k6", 314), ("x6", 314)]]),
        ([], []),
    ],
)
def test_parts_are_beside_each_other_as_on_the_dashboard_as_far_as_they_fit(
    cards: list[str], rows: list[list[tuple[str, int]]]
) -> None:
    assert shape(parts_of(*cards)) == rows


@pytest.mark.parametrize("seed", range(200))
def test_every_part_is_there_once_in_order_and_each_row_is_full(seed: int) -> None:
    chance = Random(seed)
    cards = [f"{chance.choice('nxtk')}{chance.randint(1, 12)}" for _ in range(chance.randint(0, 30))]
    rows = place_parts(parts_of(*cards))
    assert [placed.part.title for row in rows for placed in row] == cards
    for row in rows:
        gaps_width = GAP_WIDTH * (len(row) - 1)
        assert MAIL_WIDTH - len(row) < sum(placed.width for placed in row) + gaps_width <= MAIL_WIDTH
        assert len(row) <= (3 if all(is_lone_number(placed.part) for placed in row) else 2)
        assert sum(placed.part.column_count for placed in row) <= 12
        assert all(placed.width == MAIL_WIDTH for placed in row if placed.part.title.startswith("t"))


@pytest.mark.parametrize("count", range(1, 30))
@pytest.mark.parametrize("most", [1, 2, 3])
def test_rows_are_about_as_full_as_each_other(count: int, most: int) -> None:
    rows = split_evenly(range(count), most)
    assert [item for row in rows for item in row] == list(range(count))
    assert len(rows) == -(-count // most)
    assert {len(row) for row in rows[:-1]} <= {len(rows[0])}
    assert len(rows[0]) <= most
