"""What an answer says about itself beside its numbers."""

from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType


class Notice(msgspec.Struct, frozen=True):
    """Something that whoever reads an answer should know.

    `incomplete_data`: the answer covers a time of which the server has lost events, or has set them aside as damaged.
    """

    code: Literal["incomplete_data"]
    message: str


Notices = list[Notice] | UnsetType
"""Absent when there is nothing to say."""


def notices(found: Sequence[Notice]) -> Notices:
    """As a field of an answer."""
    return list(found) or UNSET
