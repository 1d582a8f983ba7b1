"""Notices: what an answer says about itself besides its numbers (rules/questions#notices)."""

from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType


class Notice(msgspec.Struct, frozen=True):
    """Something that readers of an answer should know.

    `incomplete_data`: the answer covers a time from which events were lost, or put aside as damaged.
    `not_up_to_date`: the newest events are stored but not counted yet; ask again shortly to count them.
    `unknown_event`, `unknown_property`: no event of the environment has ever had `name`; `suggestion` is the name
    that was probably meant.
    `no_numbers`: a measure needs numbers, and no event of the time range has one in the property.
    `older_only`: all events are older than the time range.
    """

    code: Literal["incomplete_data", "not_up_to_date", "unknown_event", "unknown_property", "no_numbers", "older_only"]
    message: str
    name: str | UnsetType = UNSET
    suggestion: str | UnsetType = UNSET


NOT_UP_TO_DATE = Notice("not_up_to_date", "The newest events may not be counted yet. Try again shortly.")


Notices = list[Notice] | UnsetType  # the notices of an answer; absent if there are none


def notices_or_unset(answer_notices: Sequence[Notice]) -> Notices:
    """Return the notices as a field of an answer."""
    return list(answer_notices) or UNSET
