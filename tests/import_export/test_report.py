"""What a person hears of the refused rows and of the whole."""

import io
import json

from msgspec import Raw

from tallyroom.import_export.report import Refusals, left_out, once_mended, summary
from tallyroom.import_export.row import RefusedRow
from tallyroom.import_export.run import RunTotals


def test_the_first_ten_are_said_and_all_are_written() -> None:
    said: list[str] = []
    file = io.BytesIO()
    refusals = Refusals(said.append, file)
    refusals.note([RefusedRow(line, "no", b"{}") for line in range(1, 9)])
    refusals.note([RefusedRow(line, "no", b"{}") for line in range(9, 1301)])
    refusals.close(None)
    assert said == [f"line {line}: no" for line in range(1, 11)] + [
        "and 1,290 more refused rows; --refused FILE writes them all"
    ]
    assert [json.loads(line)["line"] for line in file.getvalue().splitlines()] == list(range(1, 1301))


def test_each_row_is_written_as_the_file_had_it() -> None:
    file = io.BytesIO()
    refusals = Refusals(lambda _: None, file)
    refusals.note(
        [
            RefusedRow(1, "no", b'{"n":1.50}'),
            RefusedRow(2, "no", b"{broken \xff"),
            RefusedRow(3, "no", {"a": "x", "b\udcff": "y\udcfe", "c": Raw(b"[1.0]")}),
            RefusedRow(4, "bad \udcff", {}),
        ]
    )
    assert file.getvalue().decode().splitlines() == [
        '{"line":1,"reason":"no","row":{"n":1.50}}',
        '{"line":2,"reason":"no","row":"{broken �"}',
        '{"line":3,"reason":"no","row":{"a":"x","b�":"y�","c":[1.0]}}',
        '{"line":4,"reason":"bad �","row":{}}',
    ]


def test_nothing_more_is_said_when_all_were() -> None:
    said: list[str] = []
    refusals = Refusals(said.append, None)
    refusals.note([RefusedRow(1, "no", b"")])
    refusals.close(None)
    assert said == ["line 1: no"]


def test_the_numbers() -> None:
    tally = RunTotals(accepted=1_000_000, replays=500, refusals=2, through=77)
    assert summary(tally) == "1,000,502 rows: 1,000,000 accepted, 500 counted before, 2 refused."
    assert "every row up to line 77 is settled" in summary(tally, "Run it again.")
    assert "\nThe import did not finish. Run" in summary(RunTotals(), "Run it again.")
    tally.changed_batches = 1
    assert "are still missing" in summary(tally)


def test_one_is_no_plural() -> None:
    one = summary(RunTotals(accepted=1, changed_batches=1))
    assert one.startswith("1 row: 1 accepted, 0 counted before, 0 refused.\n1 batch had already been sent")
    assert summary(RunTotals()).startswith("0 rows: ")
    said: list[str] = []
    refusals = Refusals(said.append, None)
    refusals.note([RefusedRow(line, "no", b"") for line in range(11)])
    refusals.close(None)
    assert said[-1] == "and 1 more refused row; --refused FILE writes them all"


def test_nobody_is_told_to_repeat_what_would_end_in_the_same_way() -> None:
    assert summary(RunTotals(), once_mended("Run it again.", RunTotals())).endswith("\nThe import did not finish.")
    half = RunTotals(accepted=500, through=500)
    assert summary(half, once_mended("Run it again.", half)).endswith(
        "\nThe import did not finish; every row up to line 500 is settled. Once the cause is fixed: run it again."
    )


def test_columns_without_a_name_are_told() -> None:
    assert list(left_out({})) == []
    [told] = left_out({3: 1, 1: 1200})
    assert told == (
        "Left out, because the header has no name for it: column 1 with 1,200 cells that are not empty, "
        "column 3 with 1 cell that is not empty."
    )
