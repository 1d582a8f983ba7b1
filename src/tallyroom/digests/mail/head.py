"""What stands above and below the parts of a mail."""

from typing import NamedTuple


class MailHead(NamedTuple):
    """What a mail says beside its parts.

    Attributes:
        title: the name of the digest, or of the dashboard.
        dashboard_name: the name of the dashboard, if that is not the title.
        period_text: the time that it is about.
        rhythm_text: when it comes.
        dashboard_url: the address of the dashboard.
        left_out_count: how many widgets are only on the dashboard.
    """

    title: str
    dashboard_name: str
    period_text: str
    rhythm_text: str
    dashboard_url: str
    left_out_count: int = 0


def format_left_out_widgets(head: MailHead) -> str:
    """Say how many widgets are only on the dashboard."""
    return f"{head.left_out_count} more widget{'s' * (head.left_out_count > 1)} on the dashboard"
