"""How a mail shows an external value."""

from tallyroom.dashboards.kinds.external.question import External
from tallyroom.dashboards.mail.contents import BigNumber, MailContent, MailNote, MailWidget, shorten_cell
from tallyroom.dashboards.mail.numbers import format_full


def build_mail_contents(_widget: MailWidget, result: External) -> list[MailContent]:
    """Return the value, and a sentence if it is an old one."""
    if result.value is None:
        return [MailNote("The value could not be fetched.")]
    value_text = result.value if isinstance(result.value, str) else format_full(result.value)
    outdated_note = "It could not be fetched; this is the last known value." if result.error else ""
    return [BigNumber("", shorten_cell(value_text), None, note=outdated_note)]
