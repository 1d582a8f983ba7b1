"""The text of a mail, for programs that show no HTML, and for who prefers it."""

from collections.abc import Sequence

from tallyroom.digests.mail.contents import (
    BigNumber,
    Content,
    MailChart,
    MailNote,
    MailTable,
    WidgetPart,
)
from tallyroom.digests.mail.head import MailHead, more_of
from tallyroom.digests.mail.untrusted_text import one_line, several_lines

_WIDEST = 40


def as_text(head: MailHead, parts: Sequence[WidgetPart], unsubscribe_url: str) -> str:
    """Return the text of a mail."""
    top = [one_line(head.title), *([one_line(head.dashboard)] if head.dashboard else []), head.period, head.link]
    blocks = ["\n".join(top), *(_part(part) for part in parts)]
    if head.more:
        blocks.append(f"{more_of(head)}: {head.link}")
    blocks.append(f"-- \nYou get this digest {head.rhythm}.\nUnsubscribe: {unsubscribe_url}")
    return "\n\n".join(blocks) + "\n"


def _part(part: WidgetPart) -> str:
    title = one_line(part.title)
    lines = [title, "=" * min(len(title), _WIDEST)] if title else []
    for content in part.contents:
        lines += _content(content)
    return "\n".join(lines)


def _content(content: Content) -> list[str]:
    match content:
        case BigNumber():
            return _number(content)
        case MailTable():
            return _table(content)
        case MailChart():
            return [one_line(content.words), *(_table(content.table) if content.table else [])]
        case MailNote():
            return several_lines(content.text)


def _number(number: BigNumber) -> list[str]:
    label = f"{one_line(number.label)}: " if number.label else ""
    change = f"  {number.change.arrow} {number.change.words}" if number.change else ""
    return [f"{label}{number.value}{change}", *([number.goal] if number.goal else [])]


def _table(table: MailTable) -> list[str]:
    rows = [[one_line(cell) for cell in row] for row in (table.head, *table.rows)]
    widths = [min(max(len(row[index]) for row in rows), _WIDEST) for index in range(len(table.head))]
    lines = [
        "  ".join(
            cell.rjust(width) if is_number else cell.ljust(width)
            for cell, width, is_number in zip(row, widths, table.are_numbers, strict=True)
        ).rstrip()
        for row in rows
    ]
    return [*lines, *([f"… {table.left_out}"] if table.left_out else [])]
