"""A workspace: the tenant that owns events, keys and dashboards."""

from sqlalchemy import CheckConstraint
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.db.models.declarative import Model


class Workspace(Model):
    """A tenant. `plan` is "free" or "paid", `timezone` an IANA name."""

    __tablename__ = "workspaces"
    __table_args__ = (CheckConstraint("plan IN ('free', 'paid')", name="plan_known"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    plan: Mapped[str]
    timezone: Mapped[str]
    created_at_ms: Mapped[int]
