"""The content above and below the parts of a mail."""

from typing import Final, NamedTuple

DELAY_SENTENCE: Final = "The newest events may be missing: they had not reached the event store yet."
"""The sentence of a mail that could not wait any longer for the newest events."""


class MailHead(NamedTuple):
    """A mail's content outside its parts.

    `title` is the name of the digest, or of the dashboard; `dashboard_name` is empty if that is the title.
    `left_out_count` is how many widgets are only on the dashboard. Unless `is_fresh`, the event store lacks events that
    were accepted before.
    """

    title: str
    dashboard_name: str
    period_text: str
    rhythm_text: str
    dashboard_url: str
    left_out_count: int = 0
    is_fresh: bool = True


def format_left_out_widgets(head: MailHead) -> str:
    """Return how many widgets are only on the dashboard, in words."""
    return f"{head.left_out_count} more widget{'s' * (head.left_out_count > 1)} on the dashboard"
