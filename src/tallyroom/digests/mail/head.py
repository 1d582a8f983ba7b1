"""What stands above and below the parts of a mail."""

from typing import NamedTuple


class MailHead(NamedTuple):
    """What a mail says beside its parts.

    Attributes:
        title: the name of the digest, or of the dashboard.
        dashboard: the name of the dashboard, if that is not the title.
        period: the time that it is about.
        rhythm: when it comes.
        link: the address of the dashboard.
        more: how many widgets are only on the dashboard.
    """

    title: str
    dashboard: str
    period: str
    rhythm: str
    link: str
    more: int = 0


def format_more(head: MailHead) -> str:
    """Say how many widgets are only on the dashboard."""
    return f"{head.more} more widget{'s' * (head.more > 1)} on the dashboard"
