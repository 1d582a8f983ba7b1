"""Notices: what an answer says about itself besides its numbers (rules/questions#notices)."""

from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType


class Notice(msgspec.Struct, frozen=True):
    """Something that whoever reads an answer should know.

    `incomplete_data`: the answer covers a time of which the server has lost events, or has set them aside as damaged.
    `not_up_to_date`: events of the last moments are safe and not counted yet; the same question soon counts them.
    `unknown_event`, `unknown_property`: the question names what no event of the environment has ever had.
    `no_numbers`: a measure needs numbers, and no event of the span has one in the property.
    `older_only`: all events are older than the span.

    `name` is the name that was never seen, and `suggestion` one that was and probably is what was meant.
    """

    code: Literal["incomplete_data", "not_up_to_date", "unknown_event", "unknown_property", "no_numbers", "older_only"]
    message: str
    name: str | UnsetType = UNSET
    suggestion: str | UnsetType = UNSET


NOT_UP_TO_DATE = Notice("not_up_to_date", "Events of the last moments may not be counted yet. Try again.")


Notices = list[Notice] | UnsetType
"""The notices of an answer; absent if there are none."""


def notices_or_unset(answer_notices: Sequence[Notice]) -> Notices:
    """Return the notices as a field of an answer."""
    return list(answer_notices) or UNSET
