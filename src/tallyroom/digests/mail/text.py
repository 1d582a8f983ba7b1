"""The text of a mail, for programs that show no HTML, and for people who prefer it."""

from collections.abc import Sequence

from tallyroom.dashboards.mail.contents import (
    BigNumber,
    MailChart,
    MailContent,
    MailNote,
    MailTable,
    WidgetPart,
)
from tallyroom.dashboards.mail.numbers import VERDICT_BY_MOOD, NumberChange
from tallyroom.digests.mail.head import DELAY_SENTENCE, MailHead, format_left_out_widgets
from tallyroom.digests.mail.untrusted_text import to_lines, to_single_line

_MAX_COLUMN_WIDTH = 40


def build_text(head: MailHead, parts: Sequence[WidgetPart], unsubscribe_url: str) -> str:
    """Return the text of a mail."""
    head_lines = [
        to_single_line(head.title),
        *([to_single_line(head.dashboard_name)] if head.dashboard_name else []),
        head.period_text,
        *([] if head.is_fresh else [DELAY_SENTENCE]),
        head.dashboard_url,
    ]
    blocks = ["\n".join(head_lines), *(_build_part_text(part) for part in parts)]
    if head.left_out_count:
        blocks.append(f"{format_left_out_widgets(head)}: {head.dashboard_url}")
    blocks.append(f"-- \nYou get this digest {head.rhythm_text}.\nUnsubscribe: {unsubscribe_url}")
    return "\n\n".join(blocks) + "\n"


def _build_part_text(part: WidgetPart) -> str:
    title = to_single_line(part.title)
    lines = [title, "=" * min(len(title), _MAX_COLUMN_WIDTH)] if title else []
    for content in part.contents:
        lines += _build_content_lines(content)
    return "\n".join(lines)


def _build_content_lines(content: MailContent) -> list[str]:
    match content:
        case BigNumber():
            return _build_number_lines(content)
        case MailTable():
            return _build_table_lines(content)
        case MailChart():
            return [to_single_line(content.description), *(_build_table_lines(content.table) if content.table else [])]
        case MailNote():
            return to_lines(content.text)


def _build_number_lines(number: BigNumber) -> list[str]:
    label_text = f"{to_single_line(number.label)}: " if number.label else ""
    change_text = f"  {_describe_change(number.change)}" if number.change else ""
    goal_text = number.goal.sentence if number.goal else ""
    return [f"{label_text}{number.value}{change_text}", *(text for text in (goal_text, number.note) if text)]


def _describe_change(change: NumberChange) -> str:
    """Return a change with the number before; what its color means is in words."""
    return f"{change.short_text} from {change.previous_text}{VERDICT_BY_MOOD[change.mood]}".strip()


def _build_table_lines(table: MailTable) -> list[str]:
    cell_rows = [[to_single_line(cell) for cell in cells] for cells in (table.column_names, *table.rows)]
    widths = [
        min(max(len(cells[index]) for cells in cell_rows), _MAX_COLUMN_WIDTH)
        for index in range(len(table.column_names))
    ]
    notes = ["", *(table.row_notes or [""] * len(table.rows))]
    lines = []
    for cells, note in zip(cell_rows, notes, strict=True):
        columns = zip(cells, widths, table.is_number_by_column, strict=True)
        texts = (cell.rjust(width) if is_number else cell.ljust(width) for cell, width, is_number in columns)
        lines += ["  ".join(texts).rstrip(), *([f"   {note}"] if note else [])]
    return [*lines, *([f"… {table.left_out_note}"] if table.left_out_note else [])]
