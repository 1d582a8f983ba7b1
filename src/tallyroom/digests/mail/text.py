"""The text of a mail, for programs that show no HTML, and for who prefers it."""

from collections.abc import Sequence

from tallyroom.dashboards.mail.contents import (
    BigNumber,
    Content,
    MailChart,
    MailNote,
    MailTable,
    WidgetPart,
)
from tallyroom.digests.mail.head import MailHead, format_more
from tallyroom.digests.mail.untrusted_text import to_lines, to_single_line

_MAX_WIDTH = 40


def build_text(head: MailHead, parts: Sequence[WidgetPart], unsubscribe_url: str) -> str:
    """Return the text of a mail."""
    head_lines = [
        to_single_line(head.title),
        *([to_single_line(head.dashboard)] if head.dashboard else []),
        head.period,
        head.link,
    ]
    blocks = ["\n".join(head_lines), *(_build_part_lines(part) for part in parts)]
    if head.more:
        blocks.append(f"{format_more(head)}: {head.link}")
    blocks.append(f"-- \nYou get this digest {head.rhythm}.\nUnsubscribe: {unsubscribe_url}")
    return "\n\n".join(blocks) + "\n"


def _build_part_lines(part: WidgetPart) -> str:
    title = to_single_line(part.title)
    lines = [title, "=" * min(len(title), _MAX_WIDTH)] if title else []
    for content in part.contents:
        lines += _build_content_lines(content)
    return "\n".join(lines)


def _build_content_lines(content: Content) -> list[str]:
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
    label = f"{to_single_line(number.label)}: " if number.label else ""
    change = f"  {number.change.arrow} {number.change.description}" if number.change else ""
    return [f"{label}{number.value}{change}", *([number.goal] if number.goal else [])]


def _build_table_lines(table: MailTable) -> list[str]:
    rows = [[to_single_line(cell) for cell in row] for row in (table.head, *table.rows)]
    widths = [min(max(len(row[index]) for row in rows), _MAX_WIDTH) for index in range(len(table.head))]
    lines = [
        "  ".join(
            cell.rjust(width) if is_number else cell.ljust(width)
            for cell, width, is_number in zip(row, widths, table.are_numbers, strict=True)
        ).rstrip()
        for row in rows
    ]
    return [*lines, *([f"… {table.left_out}"] if table.left_out else [])]
