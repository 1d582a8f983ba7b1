"""Which tables publish their rows, and the record of it (rules/boards#published-rows)."""

from msgspec import UNSET

from tallyroom.auth.audit import Action, Details, record
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.core.clock import Clock
from tallyroom.core.errors import ValidationFailed
from tallyroom.core.ids import IdGenerator
from tallyroom.dashboards.widgets.configs import find_kind
from tallyroom.dashboards.widgets.repository import PlacedWidget
from tallyroom.dashboards.widgets.schemas import WidgetChange
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Widget


def will_publish_rows(widget: Widget, body: WidgetChange) -> bool:
    """Return whether a changed widget publishes rows (a new table only on request); raise `ValidationFailed`."""
    old_type, new_type = widget.type, widget.type if body.type is UNSET else body.type
    if body.publish_rows is UNSET:
        return widget.publish_rows and old_type == new_type and _has_rows(new_type)
    refuse_rows_without_table(new_type, body.publish_rows)
    return body.publish_rows


def refuse_rows_without_table(type_name: str, publish_rows: bool) -> None:  # noqa: FBT001 # as the body has it
    """Raise `ValidationFailed` if a widget that is not a table would publish rows."""
    if publish_rows and not _has_rows(type_name):
        raise ValidationFailed.at(["publishRows"], "is only for tables; widgets of other types have no rows")


async def record_row_publication(
    db: Session,
    principal: MemberPrincipal,
    placed_widget: PlacedWidget,
    action: Action,
    clock: Clock,
    id_generator: IdGenerator,
) -> None:
    """Record that a table starts or stops publishing its rows, and whether its dashboard is public."""
    widget, dashboard = placed_widget
    details: Details = {
        "name": widget.title,
        "dashboard": dashboard.name,
        "dashboardId": dashboard.id,
        "isPublic": dashboard.is_public,
    }
    await record(db, principal, action, widget.id, details, clock=clock, id_generator=id_generator)


def _has_rows(type_name: str) -> bool:
    return find_kind(type_name).build_withheld_result is not None
