"""What a person hears of the refused rows and of the whole."""

import io
import json

from msgspec import Raw

from tallyroom.import_export.report import RefusalReport, describe_nameless_cells, format_summary, hint_after_fix
from tallyroom.import_export.row import RefusedRow
from tallyroom.import_export.run import RunTotals


def test_the_first_ten_are_said_and_all_are_written() -> None:
    said: list[str] = []
    file = io.BytesIO()
    refusals = RefusalReport(said.append, file)
    refusals.report_rows([RefusedRow(line, "no", b"{}") for line in range(1, 9)])
    refusals.report_rows([RefusedRow(line, "no", b"{}") for line in range(9, 1301)])
    refusals.report_remainder(None)
    assert said == [f"line {line}: no" for line in range(1, 11)] + [
        "and 1,290 more refused rows; --refused FILE writes them all"
    ]
    assert [json.loads(line)["line"] for line in file.getvalue().splitlines()] == list(range(1, 1301))


def test_each_row_is_written_as_the_file_had_it() -> None:
    file = io.BytesIO()
    refusals = RefusalReport(lambda _: None, file)
    refusals.report_rows(
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
    refusals = RefusalReport(said.append, None)
    refusals.report_rows([RefusedRow(1, "no", b"")])
    refusals.report_remainder(None)
    assert said == ["line 1: no"]


def test_the_numbers() -> None:
    totals = RunTotals(accepted_count=1_000_000, replay_count=500, refusal_count=2, settled_line_number=77)
    assert format_summary(totals) == "1,000,502 rows: 1,000,000 accepted, 500 already counted, 2 refused."
    assert "every row up to line 77 was processed" in format_summary(totals, "Run it again.")
    assert "\nThe import did not finish. Run" in format_summary(RunTotals(), "Run it again.")
    totals.changed_batch_count = 1
    assert "are still missing" in format_summary(totals)


def test_one_is_no_plural() -> None:
    one = format_summary(RunTotals(accepted_count=1, changed_batch_count=1))
    assert one.startswith("1 row: 1 accepted, 0 already counted, 0 refused.\n1 batch had already been sent")
    assert format_summary(RunTotals()).startswith("0 rows: ")
    said: list[str] = []
    refusals = RefusalReport(said.append, None)
    refusals.report_rows([RefusedRow(line, "no", b"") for line in range(11)])
    refusals.report_remainder(None)
    assert said[-1] == "and 1 more refused row; --refused FILE writes them all"


def test_nobody_is_told_to_repeat_what_would_end_in_the_same_way() -> None:
    assert format_summary(RunTotals(), hint_after_fix("Run it again.", RunTotals())).endswith(
        "\nThe import did not finish."
    )
    half = RunTotals(accepted_count=500, settled_line_number=500)
    assert format_summary(half, hint_after_fix("Run it again.", half)).endswith(
        "\nThe import did not finish; every row up to line 500 was processed. Once the cause is fixed, run it again."
    )


def test_columns_without_a_name_are_told() -> None:
    assert list(describe_nameless_cells({})) == []
    [told] = describe_nameless_cells({3: 1, 1: 1200})
    assert told == (
        "Ignored, because the header has no name for it: column 1 with 1,200 non-empty cells, "
        "column 3 with 1 non-empty cell."
    )
