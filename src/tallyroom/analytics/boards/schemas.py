"""A widget as it is answered everywhere but in public."""

from typing import Annotated

import msgspec
from msgspec import Meta

MAX_SIDE = 12

Side = Annotated[int, Meta(ge=1, le=MAX_SIDE)]


class Layout(msgspec.Struct, forbid_unknown_fields=True, rename="camel", frozen=True):
    """The size of a widget on a grid of twelve columns."""

    w: Side = 6
    h: Side = 4


class WidgetOut(msgspec.Struct, rename="camel"):
    """A widget; `config` is as its type takes it, without fields that have their default."""

    id: str
    dashboard_id: str
    title: str
    type: str
    config: msgspec.Raw
    layout: Layout
    position: int
    created_at: str
    updated_at: str
