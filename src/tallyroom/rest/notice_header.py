"""The header that has the notices of an answer whose body has no place for them (rules/questions#notices)."""

from collections.abc import Iterable
from typing import Final

from tallyroom.core.notices import Notice

NOTICE_HEADER: Final = "tallyroom-notice"


def format_notice_header(answer_notices: Iterable[Notice]) -> str:
    """Return the codes of notices, each once."""
    return ", ".join(dict.fromkeys(notice.code for notice in answer_notices))
